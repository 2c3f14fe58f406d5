import type { OfferKind } from "@gantry/protocol";

/** What an address asks to run: `?offer=<agent>:<kind>`. */
export function offerInAddress(search: string): { agent: string; kind: OfferKind } | undefined {
  const [agent, kind] = new URLSearchParams(search).get("offer")?.split(":") ?? [];
  if (!agent || (kind !== "install" && kind !== "login")) return undefined;
  return { agent, kind };
}
