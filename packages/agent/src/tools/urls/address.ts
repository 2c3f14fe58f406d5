import { ToolError } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { isAllowedHost } from "../fetch/hosts.ts";

/** Built-in schemes: reading them touches only the session. */
const INNER = new Set(["artifact", "agent", "rule", "skill", "memory"]);

/** The scheme of an address; `undefined` for a path. `file://` is a path. */
export function schemeOf(text: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  return scheme === "file" ? undefined : scheme;
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** The action of reading or writing an address, for the permission check. */
export function urlAction(url: string, what: "read" | "write", allow: readonly string[] = []): Action {
  if (isWebAddress(url)) {
    if (what === "write") throw new ToolError("A web address cannot be written.");
    if (!URL.canParse(url)) throw new ToolError(`${url} is not a valid address.`);
    return { kind: "net.fetch", url, ...(isAllowedHost(new URL(url), allow) && { ruled: true }) };
  }
  if (what === "read" && INNER.has(schemeOf(url) ?? "")) return { kind: "inner" };
  return { kind: what === "read" ? "host_uri.read" : "host_uri.write", url };
}
