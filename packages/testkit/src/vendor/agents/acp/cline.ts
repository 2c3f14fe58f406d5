import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

/** Over ACP it accepts only known models of the provider. */
const MODEL = "claude-sonnet-4-6";

export const cline: Vendor = {
  id: "cline",
  registryName: "cline",
  packageOf(version, platform) {
    const name = `@cline/cli-${platform}`;
    return { spec: `${name}@${version}`, program: `${name}/bin/cline` };
  },
  environment(home, modelUrl) {
    const key = fakeKey("sk-scripted");
    const folder = join(home, ".cline", "data", "settings");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "providers.json"), `${JSON.stringify(providers(modelUrl, key), null, 2)}\n`);
    return {
      CLINE_TELEMETRY_DISABLED: "1",
      // Without these it opens ACP conversations only for accounts of its vendor.
      CLINE_PROVIDER: "anthropic",
      CLINE_API_KEY: key,
      CLINE_MODEL: MODEL,
    };
  },
};

function providers(modelUrl: string, apiKey: string): Record<string, unknown> {
  const settings = { provider: "anthropic", apiKey, model: MODEL, baseUrl: `${modelUrl}/v1` };
  const anthropic = { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" };
  return { version: 1, lastUsedProvider: "anthropic", modes: {}, providers: { anthropic } };
}
