import { expect, test } from "vitest";
import { builtInAgents } from "../registry.ts";
import { kitSupport } from "./support.ts";

/**
 * The kit parts that each channel of the newest version passes natively: `M` MCP servers, `S` skills, `I` instructions. Other skills and
 * instructions are prepended to the first prompt; other servers are not available.
 *
 * Verified with the agents' programs against the scripted model in e2e/conformance/scenarios/kit.ts: the first channel of claude,
 * codex, gemini, opencode, copilot, droid, qwen, kimi, pi, omp, kilo, cline, auggie and grok; manually: codex exec and qwen
 * stream-json. From the programs' documented flags: their other channels. Goose and Hermes were not available; they
 * document that they accept a client's servers over ACP. Cursor, Junie and Qoder speak ACP, which requires it. The two adapters are
 * verified under the names of their agents.
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
  "cursor sdk": "M",
  "copilot acp": "M",
  "copilot json": "M",
  "droid stream-jsonrpc": "MI",
  "droid acp": "M",
  "droid exec": "I",
  "qwen acp": "M",
  "qwen stream-json": "M",
  "kimi acp": "M",
  "kimi stream-json": "",
  "pi rpc": "MSI",
  "pi json": "MSI",
  "omp rpc": "I",
  "omp acp": "M",
  "omp json": "I",
  "amp stream-json": "",
  "auggie acp": "",
  "cline acp": "",
  "cline json": "",
  "goose acp": "M",
  "grok acp": "M",
  "hermes acp": "M",
  "junie acp": "M",
  "kilo acp": "MSI",
  "nanocoder acp": "",
  "qoder acp": "M",
  "gantry rpc": "MSI",
  "claude-agent-acp acp": "M",
  "codex-acp acp": "M",
  "scripted scripted": "",
};

test("lists the kit parts that every channel takes", () => {
  const found = builtInAgents.flatMap((agent) =>
    agent.channels.map((channel) => {
      const { servers, skills, instructions } = kitSupport(channel, agent.versions?.newest);
      const parts = [servers && "M", skills === "own" && "S", instructions === "own" && "I"];
      return [`${agent.id} ${channel.name}`, parts.filter(Boolean).join("")];
    }),
  );
  expect(Object.fromEntries(found)).toEqual(taken);
});
