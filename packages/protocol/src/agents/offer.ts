import { z } from "zod";
import { AgentId } from "../ids/schema.ts";

/** A setup command that installs an agent or logs it in. A person runs it in a terminal on the agent's machine. */
export const Offer = z.object({
  kind: z.enum(["install", "login"]),
  agent: AgentId,
  /** What the command does. */
  title: z.string(),
  /** The command line as an argument vector. */
  command: z.array(z.string()).min(1),
  /** The command as one line for a shell. */
  display: z.string(),
  /** Names of variables that the agent's profile sets. Only a terminal of the daemon has them. */
  env: z.array(z.string()).optional(),
  /** The agent uses keys of model providers: storing one with `POST /v1/models/providers` does the same. */
  keys: z.boolean().optional(),
});

export type Offer = z.infer<typeof Offer>;

export type OfferKind = Offer["kind"];
