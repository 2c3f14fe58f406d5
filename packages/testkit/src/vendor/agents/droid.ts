import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../fake-key.ts";
import type { Vendor } from "../vendor.ts";

export const droid: Vendor = {
  id: "droid",
  registryName: "@factory/cli-linux-x64",
  packageOf(version, platform) {
    const name = `@factory/cli-${platform}`;
    return { spec: `${name}@${version}`, program: `${name}/bin/droid` };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".factory");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), `${JSON.stringify(settings(modelUrl), null, 2)}\n`);
    return {
      FACTORY_API_KEY: fakeKey("fk-scripted"),
      // All calls to its vendor. The scripted model answers them with 404, which Droid tolerates.
      FACTORY_API_BASE_URL: modelUrl,
      FACTORY_DROID_AUTO_UPDATE_ENABLED: "false",
    };
  },
};

function settings(modelUrl: string): Record<string, unknown> {
  const models = ["Scripted Model", "Scripted Mini"].map((displayName, index) => ({
    model: displayName.toLowerCase().replace(" ", "-"),
    id: `custom:${displayName.replace(" ", "-")}-${index}`,
    index,
    displayName,
    baseUrl: modelUrl,
    apiKey: fakeKey("sk-scripted"),
    provider: "anthropic",
    maxOutputTokens: 8192,
  }));
  return {
    customModels: models,
    sessionDefaultSettings: { model: "custom:Scripted-Model-0" },
    cloudSessionSync: false,
  };
}
