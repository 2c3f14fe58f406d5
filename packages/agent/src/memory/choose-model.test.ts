import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createModelRegistry } from "@gantry/models";
import { expect, it, onTestFinished } from "vitest";
import { memoryModel } from "./choose-model.ts";

const MODELS = `providers:
  here:
    baseUrl: http://127.0.0.1:9/v1
    auth: none
    api: openai-completions
    models: [{ id: saved }, { id: session }, { id: small }]
`;

function chosen(roles: Record<string, string>, ofSession?: string) {
  const home = mkdtempSync(join(tmpdir(), "gantry-memory-model-"));
  writeFileSync(join(home, "models.yml"), MODELS);
  writeFileSync(join(home, "config.yml"), JSON.stringify({ modelRoles: { default: "here/saved", ...roles } }));
  const registry = createModelRegistry({ home, agentDir: home, cwd: home, env: {} });
  onTestFinished(() => {
    registry.close();
    rmSync(home, { recursive: true, force: true });
  });
  const model = ofSession === undefined ? undefined : registry.find("here", ofSession);
  return (["extract", "consolidate"] as const).map((step) => memoryModel(registry, step, model)?.id);
}

it("uses the session's model for both steps", () => {
  expect(chosen({}, "session")).toEqual(["session", "session"]);
});

it("uses the default model if the session has none", () => {
  expect(chosen({})).toEqual(["saved", "saved"]);
});

it("uses the configured roles: smol for the merge, memory for both", () => {
  expect(chosen({ smol: "here/small" }, "session")).toEqual(["session", "small"]);
  expect(chosen({ memory: "here/small", smol: "here/saved" }, "session")).toEqual(["small", "small"]);
});

it("ignores a role whose model cannot be used", () => {
  expect(chosen({ memory: "openai/gpt-5.4" }, "session")).toEqual(["session", "session"]);
});
