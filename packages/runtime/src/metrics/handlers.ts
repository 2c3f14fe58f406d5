import { GantryError } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";
import type { MetricSources } from "./collect.ts";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics name agents, models and cost, so the page and the tokens of sessions get none. */
export function metricHandlers(sources: MetricSources): Pick<Handlers, "metrics"> {
  return {
    metrics: async ({ caller }) => {
      if (caller?.kind !== "token") {
        throw new GantryError("not_permitted", "Only the owner's token may read metrics.", {
          remedy: "Send the content of the file token in GANTRY_HOME as a bearer token.",
        });
      }
      const { collectMetrics } = await import("./collect.ts");
      const { formatMetrics } = await import("./prometheus.ts");
      const bytes = Buffer.from(formatMetrics(collectMetrics(sources)));
      return { bytes, headers: { "content-type": CONTENT_TYPE, "cache-control": "no-store" } };
    },
  };
}
