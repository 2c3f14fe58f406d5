import type { CacheRetention, Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import { setting } from "../transport.ts";

const RETENTIONS: readonly string[] = ["none", "short", "long"];

/** How long the provider should keep the prompt: by the request, the model, the environment, and short else. */
export function retentionOf(model: Model, request: ModelRequest): CacheRetention {
  const asked = request.cacheRetention ?? model.cacheRetention ?? setting(request, "GANTRY_CACHE_RETENTION");
  return asked !== undefined && RETENTIONS.includes(asked) ? (asked as CacheRetention) : "short";
}

/** The same, where only a wish that somebody expressed counts. */
export function statedRetention(model: Model, request: ModelRequest): CacheRetention | undefined {
  const asked = request.cacheRetention ?? model.cacheRetention ?? setting(request, "GANTRY_CACHE_RETENTION");
  return asked !== undefined && RETENTIONS.includes(asked) ? (asked as CacheRetention) : undefined;
}
