import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createModelRegistry } from "@gantry/models";
import { expect, it, onTestFinished } from "vitest";
import type { CommandContext } from "../command-context.ts";
import { modelChoices } from "./model-menu.ts";

const entry = (name: string, ids: string) =>
  `  ${name}:\n    baseUrl: http://127.0.0.1:9/v1\n    auth: none\n    api: openai-completions\n    models: [${ids}]\n`;

/** A context with a real registry. The session is a stub that records the chosen model. */
function contextOf() {
  const home = mkdtempSync(join(tmpdir(), "gantry-model-menu-"));
  const models = entry("zeta", "{ id: own }, { id: claude-opus-4-8 }") + entry("alpha", "{ id: claude-opus-4-8 }");
  writeFileSync(join(home, "models.yml"), `providers:\n${models}`);
  writeFileSync(join(home, "config.yml"), "modelRoles: { default: zeta/own, planner: alpha/claude-opus-4-8 }\n");
  const registry = createModelRegistry({ home, agentDir: home, cwd: home, env: {} });
  onTestFinished(() => {
    registry.close();
    rmSync(home, { recursive: true, force: true });
  });
  const chosen: string[] = [];
  const session = {
    state: () => ({ model: registry.find("zeta", "own") }),
    availableModels: () => registry.available(),
    setModel: async (provider: string, id: string) => void chosen.push(`${provider}/${id}`),
    setThinkingLevel: () => {},
  };
  const context = { agent: { session, registry, agentDir: home }, print: () => {} } as unknown as CommandContext;
  return { choices: modelChoices(context, { persist: false }), chosen };
}

it("lists the current model, shared names, models by provider, and roles with another model", async () => {
  const { choices, chosen } = contextOf();
  const labels = choices.map(({ label }) => label).filter((label) => !label.startsWith("preset"));
  expect(labels).toEqual([
    "zeta/own",
    "claude-opus-4-8",
    "alpha/claude-opus-4-8",
    "zeta/claude-opus-4-8",
    "role planner",
  ]);
  for (const label of ["claude-opus-4-8", "role planner"]) await choices.find((one) => one.label === label)?.pick();
  expect(chosen).toEqual([expect.stringMatching(/^(alpha|zeta)\/claude-opus-4-8$/), "alpha/claude-opus-4-8"]);
});
