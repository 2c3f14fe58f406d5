import type { Cost } from "@gantry/protocol";
import { formatDollars } from "../ui/display/format.ts";

/** The cost of a session. Turns whose cost is unknown make it unknown, or a lower bound; never zero. */
export function describeCost(cost: Cost | undefined, unpriced: number): { value: string; title: string } {
  const isKnown = cost !== undefined && (cost.usd > 0 || unpriced === 0);
  if (!isKnown) return { value: "unknown", title: "The agent reports no cost, and the price of its model is unknown." };
  const source = cost.source === "agent" ? "Reported by the agent" : "Estimated from list prices";
  if (unpriced === 0) return { value: formatDollars(cost.usd), title: source };
  const turns = unpriced === 1 ? "1 turn" : `${unpriced} turns`;
  return { value: `${formatDollars(cost.usd)} + ?`, title: `${source}. The cost of ${turns} is unknown.` };
}
