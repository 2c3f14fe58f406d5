import type { Offer } from "@gantry/protocol";
import { useLocation } from "wouter";
import { runOffer } from "./run-offer.ts";

/** Runs an offer, and goes to where its terminal is shown. */
export function useRunOffer(): (offer: Offer) => void {
  const [here, go] = useLocation();
  return (offer) => {
    if (here !== "/agents") go("/agents");
    void runOffer(offer);
  };
}
