import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

export const gemini: Vendor = {
  id: "gemini",
  registryName: "@google/gemini-cli",
  packageOf(version) {
    return { spec: `@google/gemini-cli@${version}`, program: "@google/gemini-cli/bundle/gemini.js" };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".gemini");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), `${JSON.stringify(SETTINGS, null, 2)}\n`);
    return {
      GEMINI_API_KEY: fakeKey("AIza-scripted"),
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_TELEMETRY_ENABLED: "false",
    };
  },
};

/** By default it retries ten times over minutes, and without a model it asks another model to choose one. */
const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, maxAttempts: 2 },
  model: { name: "gemini-2.5-pro" },
};
