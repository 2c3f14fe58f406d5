import { z } from "zod";
import { Offer } from "../agents/offer.ts";
import { failureRemedies } from "./remedies.ts";

export type FailureCategory = keyof typeof failureRemedies;

export const FailureCategory = z.enum(Object.keys(failureRemedies) as [FailureCategory, ...FailureCategory[]]);

export const Failure = z.object({
  category: FailureCategory,
  message: z.string(),
  /** Would the same request have a chance if it were sent again unchanged? */
  retryable: z.boolean(),
  remedy: z.string(),
  /** A command that would mend it, where there is one. */
  offer: Offer.optional(),
  /** When the limit that it met ends, where the agent says so. */
  resetsAt: z.iso.datetime().optional(),
});

export type Failure = z.infer<typeof Failure>;
