import type { AgentRow } from "@gantry/protocol";
import { makePaint } from "@gantry/terminal";
import { expect, it } from "vitest";
import { stepsOf } from "../doctor/step.ts";
import { oneAgentLines } from "./one-agent.ts";
import { agentLines } from "./render.ts";

const plain = makePaint(false);

const row = (more: Partial<AgentRow>): AgentRow => ({
  id: "opencode",
  name: "OpenCode",
  state: "ready",
  auth: { state: "ok", how: "a key" },
  channel: "acp",
  modes: ["ask"],
  steer: "queue",
  resume: "load",
  fork: true,
  models: { source: "live", items: [] },
  problems: [],
  offers: [],
  ...more,
});
const versions = { oldest: "1.3", newest: "1.18.33" };
const versionStep = (agent: AgentRow) => stepsOf(agent).find(({ name }) => name === "version");

it("prints the supported versions of an agent next to the installed one", () => {
  const supported = row({ version: "1.4.0", versions: { ...versions, fit: "supported" } });
  expect(agentLines(supported, plain)).toEqual([expect.stringMatching(/opencode +1\.4\.0 +1\.3 – 1\.18\.33 +ok/)]);
  expect(versionStep(supported)).toMatchObject({ state: "ok", detail: "1.4.0 (supported: 1.3 – 1.18.33)" });
});

it("prints the problem of a version that is too old", () => {
  const problem = { code: "version_unsupported", message: "OpenCode 1.2.0 is older.", fix: "Update it." };
  const old = row({ version: "1.2.0", versions: { ...versions, fit: "older" }, problems: [problem] });
  expect(agentLines(old, plain).slice(1)).toEqual(["    ! OpenCode 1.2.0 is older.", "      fix: Update it."]);
  expect(versionStep(old)).toMatchObject({ state: "warn", detail: expect.stringContaining("older than supported") });
});

it("notes that a version is newer than the newest tested one", () => {
  const newer = row({ version: "2.0.0", versions: { ...versions, fit: "newer" } });
  expect(agentLines(newer, plain)[1]).toContain("OpenCode 2.0.0 is newer than 1.18.33, the newest tested version.");
  expect(versionStep(newer)).toMatchObject({ state: "ok", detail: expect.stringContaining("newer than tested") });
});

it("prints the modes that cannot be enforced for the same reason in one line", () => {
  const unenforced = { plan: "Its rules win.", ask: "Its rules win.", "auto-edit": "It has no sandbox." };
  expect(agentLines(row({ unenforced }), plain).slice(1)).toEqual([
    "    ! plan, ask cannot be enforced. Its rules win.",
    "    ! auto-edit cannot be enforced. It has no sandbox.",
  ]);
});

it("prints the known facts about the models of one agent", () => {
  const models = [
    {
      id: "opus",
      name: "Opus",
      default: true,
      efforts: ["low", "high"],
      resolves: "claude-opus-5-5",
      contextWindow: 262_144,
      maxTokens: 128_000,
      price: { input: 4, output: 20 },
      images: true,
    },
    { id: "old", name: "old", default: false, efforts: [], deprecated: true },
  ];
  const control = { id: "speed", label: "Speed", choices: [{ id: "fast", label: "Fast" }], live: true, maps: "speed" };
  const lines = oneAgentLines(
    row({ models: { source: "live", items: models }, controls: { items: [control], rules: [] } }),
    plain,
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^opus +Opus +256k +128k +4\/20 +yes +low high +default claude-opus-5-5$/),
      expect.stringMatching(/^old +– +– +– +– +deprecated$/),
      expect.stringMatching(/^speed +Speed +fast$/),
    ]),
  );
});
