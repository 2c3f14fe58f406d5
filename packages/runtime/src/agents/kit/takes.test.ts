import { expect, test } from "vitest";
import { agents } from "../registry.ts";
import { kitSupport } from "./support.ts";

/**
 * What each channel hands over by its agent's own means: `M` servers, `S` skills, `I` instructions. What is not here is
 * put before the first prompt (skills, instructions) or not given at all (servers).
 *
 * Tried with the agents' own programs against the scripted model, in the scenarios of e2e/scenarios/kit.ts: the first
 * channel of claude, codex, gemini, opencode, copilot, droid, qwen, kimi, pi, omp, kilo, cline and auggie; codex's exec
 * and qwen's stream-json by hand. Taken from what the programs say of their own flags: the other channels of those. Of the
 * agents that could not be had, Goose and Hermes document that they take a client's servers over ACP; Cursor speaks ACP,
 * which asks it of every agent. Two are adapters, whose agents are tried under their own names.
 */
const taken: Record<string, string> = {
  "claude stream-json": "MSI",
  "codex app-server": "MSI",
  "codex exec": "M",
  "gemini acp": "M",
  "gemini stream-json": "",
  "opencode acp": "MSI",
  "opencode serve": "",
  "opencode run": "SI",
  "cursor acp": "M",
  "cursor print": "",
  "copilot acp": "M",
  "copilot json": "M",
  "droid stream-jsonrpc": "MI",
  "droid acp": "M",
  "droid exec": "I",
  "qwen acp": "M",
  "qwen stream-json": "M",
  "kimi acp": "M",
  "kimi stream-json": "",
  "pi rpc": "SI",
  "pi json": "SI",
  "omp rpc": "I",
  "omp acp": "M",
  "omp json": "I",
  "amp stream-json": "",
  "auggie acp": "",
  "cline acp": "",
  "cline json": "",
  "goose acp": "M",
  "hermes acp": "M",
  "kilo acp": "MSI",
  "gantry rpc": "MSI",
  "claude-agent-acp acp": "M",
  "codex-acp acp": "M",
  "scripted scripted": "",
};

test("every channel takes what it is known to take", () => {
  const found = agents.flatMap((agent) =>
    agent.channels.map((channel) => {
      const { servers, skills, instructions } = kitSupport(channel);
      const parts = [servers && "M", skills === "own" && "S", instructions === "own" && "I"];
      return [`${agent.id} ${channel.name}`, parts.filter(Boolean).join("")];
    }),
  );
  expect(Object.fromEntries(found)).toEqual(taken);
});
