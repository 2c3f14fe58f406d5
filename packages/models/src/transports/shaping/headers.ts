import type { Model, RequestTransform } from "../../model.ts";
import type { Credential } from "../../stream.ts";
import { bearerHeaders } from "./auth-headers.ts";

/** Identifying headers of SDKs and vendor programs. Some proxies reject them. */
const PROXY_STRIP = ["x-stainless-*", "openai-*", "anthropic-beta", "x-app", "x-client-request-id", "session_id"];
const USER_AGENT = "gantry";

/** Merges with lower-case names. The later value wins, and an empty value removes the header. */
export function mergeHeaders(
  ...all: (Record<string, string | null | undefined> | undefined)[]
): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const headers of all) {
    for (const [name, value] of Object.entries(headers ?? {})) {
      const key = name.toLowerCase();
      if (value === undefined) continue;
      if (value === null || value === "") delete merged[key];
      else merged[key] = value;
    }
  }
  return merged;
}

/** Headers that carry the key in wire formats without `Authorization`. */
const KEY_HEADERS = { "x-api-key": null, "x-goog-api-key": null, "api-key": null };

/** The headers to send: the transport's, overridden by the model's, then changed by its transform. */
export function finalHeaders(
  own: Record<string, string>,
  model: Model,
  credential: Credential,
): Record<string, string> {
  const key = model.authHeader ? { ...KEY_HEADERS, ...bearerHeaders(credential) } : {};
  const headers = mergeHeaders({ "user-agent": USER_AGENT }, own, key, model.headers);
  const transform = model.requestTransform;
  if (!transform) return headers;
  for (const pattern of stripList(transform)) {
    for (const name of Object.keys(headers)) if (matches(name, pattern.toLowerCase())) delete headers[name];
  }
  const generic =
    transform.profile === "openai-proxy" ? { "user-agent": model.headers?.["User-Agent"] ?? USER_AGENT } : {};
  return mergeHeaders(headers, generic, transform.setHeaders);
}

function stripList(transform: RequestTransform): readonly string[] {
  return transform.stripHeaders ?? (transform.profile === "openai-proxy" ? PROXY_STRIP : []);
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
