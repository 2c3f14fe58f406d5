import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createModelRegistry, type FullModelRegistry, type RegistryOptions } from "./registry.ts";

export type Files = { models?: string; homeModels?: string; config?: string };
export type TestRegistry = FullModelRegistry & { home: string; loggedIn: Set<string> };

/** A registry over real files in a temporary folder, deleted after the test. Tests may change `loggedIn`. */
export function testRegistry(
  files: Files = {},
  options: Partial<RegistryOptions> & { loggedIn?: string[] } = {},
): TestRegistry {
  const home = mkdtempSync(join(tmpdir(), "gantry-models-"));
  const agentDir = join(home, "agent");
  mkdirSync(agentDir);
  if (files.models !== undefined) writeFileSync(join(agentDir, "models.yml"), files.models);
  if (files.homeModels !== undefined) writeFileSync(join(home, "models.yml"), files.homeModels);
  if (files.config !== undefined) writeFileSync(join(agentDir, "config.yml"), files.config);
  const loggedIn = new Set(options.loggedIn);
  const credentials = { has: (provider: string) => loggedIn.has(provider), get: async () => undefined };
  const registry = createModelRegistry({ home, cwd: home, env: {}, credentials, ...options });
  onTestFinished(() => {
    registry.close();
    rmSync(home, { recursive: true, force: true });
  });
  return Object.assign(registry, { home, loggedIn });
}

/** The models.yml text of a provider that needs no key. */
export function provider(name: string, ids: readonly string[], more = ""): string {
  const models = ids.map((id) => `      - id: "${id}"\n        reasoning: true`).join("\n");
  return `  ${name}:\n    baseUrl: http://127.0.0.1:9/v1\n    auth: none\n    api: openai-completions\n${more}    models:\n${models}\n`;
}
