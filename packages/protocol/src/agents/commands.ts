import { z } from "zod";

/** `agent`: built in, or reported by the agent. */
const Scope = z.enum(["agent", "user", "project"]);

/** A slash command or skill that an agent would have in a folder. */
export const KnownCommand = z.object({
  name: z.string(),
  description: z.string().optional(),
  /** The arguments that it takes. */
  hint: z.string().optional(),
  kind: z.enum(["command", "skill"]),
  scope: Scope,
});

export type KnownCommand = z.infer<typeof KnownCommand>;

export const OutputStyle = z.object({ name: z.string(), description: z.string().optional(), scope: Scope });

export type OutputStyle = z.infer<typeof OutputStyle>;

/** What an agent offers in a folder before its first turn, without starting the agent. */
export const AgentCommands = z.object({
  commands: z.array(KnownCommand),
  styles: z.array(OutputStyle),
  /** The project's own commands are left out, because its code is not trusted. */
  untrusted: z.boolean(),
});

export type AgentCommands = z.infer<typeof AgentCommands>;
