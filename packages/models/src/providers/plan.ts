import type { ProviderConfig } from "../config/schema.ts";
import { APIS, type Api } from "../model.ts";
import { PRESETS } from "./presets.ts";

/** What a user wants to add: a preset, a provider of the catalogue by its name, or a server by its URL. */
export type ProviderRequest = {
  name: string;
  baseUrl?: string;
  api?: string;
  models?: readonly string[];
  /** The variable with the key. Default: from the name. */
  keyVariable?: string;
  /** The server needs no key. */
  noKey?: boolean;
};

/** `config`: the entry for models.yml, absent for a provider that the catalogue has. */
export type ProviderPlan =
  | { ok: true; provider: string; config?: ProviderConfig; variable?: string; needsKey: boolean }
  | { ok: false; message: string };

/** Wire formats whose servers can be asked for their models by a standard list. */
const LISTED: readonly string[] = ["openai-completions", "openai-responses"] satisfies Api[];

/** Decides what to write for a request. Pure. */
export function planProvider(request: ProviderRequest, isKnown: (provider: string) => boolean): ProviderPlan {
  const { name, baseUrl } = request;
  const preset = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (baseUrl !== undefined) return planServer({ ...request, baseUrl });
  if (preset) {
    const { provider, config } = preset;
    return { ok: true, provider, config, needsKey: true, ...(config.apiKeyEnv ? { variable: config.apiKeyEnv } : {}) };
  }
  if (isKnown(name)) return { ok: true, provider: name, needsKey: request.noKey !== true };
  const presets = Object.keys(PRESETS).join(", ");
  return {
    ok: false,
    message: `There is no preset and no provider "${name}". Presets: ${presets}. For any other server give its URL and its wire format.`,
  };
}

function planServer(request: ProviderRequest & { baseUrl: string }): ProviderPlan {
  const { name, baseUrl, api = "openai-completions", models = [], noKey = false } = request;
  if (!/^[a-z0-9][\w.-]{0,63}$/i.test(name)) return { ok: false, message: `"${name}" is not a valid provider name.` };
  const format = APIS.find((one) => one === api);
  if (!format) return { ok: false, message: `There is no wire format "${api}". Available: ${APIS.join(", ")}.` };
  if (models.length === 0 && !LISTED.includes(format)) {
    return {
      ok: false,
      message: `A server with the format ${format} has no standard list of models. Name at least one model.`,
    };
  }
  const variable = request.keyVariable ?? `${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`;
  const config: ProviderConfig = {
    baseUrl,
    api: format,
    ...(noKey ? { auth: "none" as const } : { apiKeyEnv: variable }),
    ...(models.length > 0
      ? { models: models.map((id) => ({ id })) }
      : { discovery: { type: "openai-models-list" as const } }),
  };
  return { ok: true, provider: name, config, needsKey: !noKey, ...(noKey ? {} : { variable }) };
}
