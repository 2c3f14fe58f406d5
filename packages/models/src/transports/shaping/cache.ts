import type { CacheRetention, Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import { readSetting } from "../transport.ts";

const RETENTIONS: readonly string[] = ["none", "short", "long"];

/** How long the provider should cache the prompt: set by the request, the model or the environment, else short. */
export function retentionOf(model: Model, request: ModelRequest): CacheRetention {
  return configuredRetention(model, request) ?? "short";
}

/** The configured retention, without a default. */
export function configuredRetention(model: Model, request: ModelRequest): CacheRetention | undefined {
  const value = request.cacheRetention ?? model.cacheRetention ?? readSetting(request, "GANTRY_CACHE_RETENTION");
  return value !== undefined && RETENTIONS.includes(value) ? (value as CacheRetention) : undefined;
}
