import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../fake-key.ts";
import type { Vendor } from "../vendor.ts";

export const qwen: Vendor = {
  id: "qwen",
  registryName: "@qwen-code/qwen-code",
  /** The program itself: the entry that `qwen` names is a wrapper, which starts it and swallows signals. */
  packageOf(version) {
    return { spec: `@qwen-code/qwen-code@${version}`, program: "@qwen-code/qwen-code/cli.js" };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".qwen");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), `${JSON.stringify(SETTINGS, null, 2)}\n`);
    return {
      OPENAI_API_KEY: fakeKey("sk-scripted"),
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: "scripted-model",
      QWEN_TELEMETRY_ENABLED: "false",
    };
  },
};

const SETTINGS = {
  security: { auth: { selectedType: "openai" } },
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false },
  model: { name: "scripted-model", generationConfig: { maxRetries: 0 } },
};
