import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

export const qwen: Vendor = {
  id: "qwen",
  registryName: "@qwen-code/qwen-code",
  /** The program itself: the `qwen` entry is a wrapper that starts it and swallows signals. */
  packageOf(version) {
    return { spec: `@qwen-code/qwen-code@${version}`, program: "@qwen-code/qwen-code/cli.js" };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".qwen");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "settings.json"), `${JSON.stringify(settings(modelUrl), null, 2)}\n`);
    return { OPENAI_API_KEY: fakeKey("sk-scripted"), QWEN_TELEMETRY_ENABLED: "false" };
  },
};

/**
 * One fast retry instead of seven slow ones, no side requests (memories, suggestions, summaries), and all tools offered at
 * once, so that a script can call them.
 */
function settings(modelUrl: string): Record<string, unknown> {
  const generationConfig = {
    maxRetries: 1,
    retryInitialDelayMs: 100,
    retryMaxDelayMs: 100,
    modalities: { image: true },
  };
  const model = (id: string) => ({
    id,
    name: id,
    baseUrl: `${modelUrl}/v1`,
    envKey: "OPENAI_API_KEY",
    generationConfig,
  });
  return {
    security: { auth: { selectedType: "openai" } },
    modelProviders: { openai: [model("scripted-model"), model("scripted-other")] },
    model: { name: "scripted-model" },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false },
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    ui: { enableFollowupSuggestions: false },
    tools: { toolSearch: { enabled: false }, todoWrite: { enabled: true } },
    experimental: { emitToolUseSummaries: false },
  };
}
