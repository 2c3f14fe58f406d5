import { z } from "zod";
import { Offer } from "../agents/offer.ts";
import { failureRemedies } from "./remedies.ts";

export type FailureCategory = keyof typeof failureRemedies;

export const FailureCategory = z.enum(Object.keys(failureRemedies) as [FailureCategory, ...FailureCategory[]]);

export const Failure = z.object({
  category: FailureCategory,
  message: z.string(),
  /** Whether retrying the same request can succeed. */
  retryable: z.boolean(),
  remedy: z.string(),
  /** For a timeout: the step of opening the conversation that was not answered, such as `session/load`. */
  stage: z.string().optional(),
  /** A setup command that fixes it. */
  offer: Offer.optional(),
  /** When the limit resets, if the agent reports it. */
  resetsAt: z.iso.datetime().optional(),
});

export type Failure = z.infer<typeof Failure>;
