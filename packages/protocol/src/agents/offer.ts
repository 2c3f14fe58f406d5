import { z } from "zod";
import { AgentId } from "../ids/schema.ts";

/**
 * A command that would mend what is wrong with an agent, which a person may have run in a terminal of the machine that
 * the agent runs on.
 */
export const Offer = z.object({
  kind: z.enum(["install", "login"]),
  agent: AgentId,
  /** What it does, in words. */
  title: z.string(),
  /** The arguments as they are run. */
  command: z.array(z.string()).min(1),
  /** The same as one line that a person could paste into a shell. */
  display: z.string(),
  /** Names of variables that the agent's profile sets: only a terminal of the daemon has them. */
  env: z.array(z.string()).optional(),
});

export type Offer = z.infer<typeof Offer>;

export type OfferKind = Offer["kind"];
