import { useEffect } from "react";
import { useLocation, useSearch } from "wouter";
import { offerInAddress } from "./offer-in-address.ts";
import { runOffer } from "./run-offer.ts";

/**
 * Runs the offer that the address names when a person came here by a button of the page. A page that was opened at such an
 * address only shows the agent: a link from elsewhere must not run anything. Gives the agent that is meant.
 */
export function useOfferInAddress(): string | undefined {
  const search = useSearch();
  const [, go] = useLocation();
  const offer = offerInAddress(search);
  const key = offer && `${offer.agent}:${offer.kind}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says whether it is another offer.
  useEffect(() => {
    if (!offer || openedAt(search)) return;
    go("/agents", { replace: true });
    void runOffer(offer);
  }, [key]);
  return offer?.agent;
}

function openedAt(search: string): boolean {
  const [opened] = performance.getEntriesByType("navigation");
  return opened !== undefined && URL.parse(opened.name)?.search.slice(1) === search.replace(/^\?/, "");
}
