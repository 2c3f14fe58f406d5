import { existsSync, readFileSync } from "node:fs";
import { type Document, isMap, isScalar, parseDocument, stringify } from "yaml";
import type { ConfigProblem } from "../registry-port.ts";
import { replaceFile } from "../replace-file.ts";
import { checkModels } from "./models-file.ts";
import type { ProviderConfig } from "./schema.ts";

type Preset = { provider: string; config: ProviderConfig };

const MINIMAX = {
  api: "openai-completions",
  compat: {
    supportsStore: false,
    supportsDeveloperRole: false,
    supportsMultipleSystemMessages: false,
    supportsReasoningEffort: false,
    reasoningContentField: "reasoning_content",
  },
  models: [{ id: "MiniMax-M2.5", reasoning: true, contextWindow: 204_800, maxTokens: 131_072 }],
} as const satisfies Partial<Record<keyof ProviderConfig, unknown>>;

const GLM: Preset = {
  provider: "glm-proxy",
  config: {
    baseUrl: "https://api.z.ai/api/paas/v4",
    apiKeyEnv: "ZAI_API_KEY",
    api: "openai-completions",
    compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
    models: [{ id: "glm-4.6", reasoning: true, contextWindow: 200_000, maxTokens: 131_072 }],
  },
};

/** Complete settings of providers that users often add. They name the key's variable and never contain a key. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  minimax: preset("minimax-code", "https://api.minimax.io/v1", "MINIMAX_CODE_API_KEY"),
  "minimax-cn": preset("minimax-code-cn", "https://api.minimaxi.com/v1", "MINIMAX_CODE_CN_API_KEY"),
  glm: GLM,
  zai: GLM,
  "z-ai": GLM,
};

function preset(provider: string, baseUrl: string, apiKeyEnv: string): Preset {
  const { compat, models, api } = MINIMAX;
  return { provider, config: { baseUrl, apiKeyEnv, api, compat: { ...compat }, models: [...models] } };
}

export type PresetAdded =
  | { ok: true; provider: string; variable: string; file: string; added: boolean }
  | { ok: false; message: string; problem?: ConfigProblem };

/** Adds a preset to models.yml and keeps comments and all other content. Does not replace an existing entry. */
export function addPreset(file: string, name: string): PresetAdded {
  const found = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (!found)
    return { ok: false, message: `There is no preset "${name}". Available: ${Object.keys(PRESETS).join(", ")}.` };
  const { provider, config } = found;
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const document = parseDocument(before);
  const [problem] = document.errors.length > 0 ? checkModels(file, before).problems : [];
  const providers = document.get("providers");
  if (problem || (document.contents !== null && !isMap(document.contents)) || (providers && !isMap(providers))) {
    return {
      ok: false,
      message: `${file} has a mistake. Correct it first; nothing was changed.`,
      ...(problem ? { problem } : {}),
    };
  }
  const variable = config.apiKeyEnv ?? "";
  const exists = document.hasIn(["providers", provider]);
  if (!exists) {
    replaceFile(file, insert(before, document, provider, config));
  }
  return { ok: true, provider, variable, file, added: !exists };
}

/**
 * The text with the provider in it. Put between the lines as they stand, for the printer moves comments; only where
 * providers are written in braces the printer does it.
 */
function insert(text: string, document: Document, provider: string, config: ProviderConfig): string {
  const providers = document.get("providers");
  const entry = stringify({ [provider]: config }, { lineWidth: 0 });
  if (!providers && !document.has("providers")) {
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    return `${text}${gap}providers:\n${indent(entry, 2)}`;
  }
  const [first] = isMap(providers) ? providers.items : [];
  if (!isMap(providers) || providers.flow || !providers.range || !isScalar(first?.key) || !first.key.range) {
    if (isMap(providers)) providers.set(provider, document.createNode(config));
    else document.set("providers", document.createNode({ [provider]: config }));
    return document.toString({ lineWidth: 0 });
  }
  const column = first.key.range[0] - (text.lastIndexOf("\n", first.key.range[0] - 1) + 1);
  const end = providers.range[1];
  const head = text.slice(0, end).replace(/\n*$/, "\n");
  return `${head}${indent(entry, column)}${text.slice(end).replace(/^\n/, "")}`;
}

function indent(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(by));
}
