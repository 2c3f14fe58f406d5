import type { OfferKind } from "@gantry/protocol";
import { useEffect } from "react";
import { useLocation, useSearch } from "wouter";
import { runSetup } from "./run-setup.ts";

/**
 * Runs the setup command named in the address after a navigation within the page. A page that was loaded at such an
 * address only highlights the agent, because a link from another site must not run anything. Returns the agent's id.
 */
export function useSetupFromUrl(): string | undefined {
  const search = useSearch();
  const [, go] = useLocation();
  const offer = parseSetupParam(search);
  const key = offer && `${offer.agent}:${offer.kind}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the command.
  useEffect(() => {
    if (!offer || isOpenedWith(search)) return;
    go("/agents", { replace: true });
    void runSetup(offer);
  }, [key]);
  return offer?.agent;
}

function isOpenedWith(search: string): boolean {
  const [opened] = performance.getEntriesByType("navigation");
  return opened !== undefined && URL.parse(opened.name)?.search.slice(1) === search.replace(/^\?/, "");
}

/** Parses `?offer=<agent>:<kind>`. */
export function parseSetupParam(search: string): { agent: string; kind: OfferKind } | undefined {
  const [agent, kind] = new URLSearchParams(search).get("offer")?.split(":") ?? [];
  if (!agent || (kind !== "install" && kind !== "login")) return undefined;
  return { agent, kind };
}
