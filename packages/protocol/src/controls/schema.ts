import { z } from "zod";
import { Mode } from "../modes/schema.ts";

export const ControlId = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, "must be the id of a control, such as sandbox");

const value = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x20-\x7e\u00a0-\uffff]*$/, "must be one line");

/** Values of native controls, by the id of the control. */
export const ControlValues = z.record(ControlId, value);

export type ControlValues = z.infer<typeof ControlValues>;

/** A change of native controls. `null`: the mode, or the agent's own configuration, decides again. */
export const ControlChanges = z.record(ControlId, value.nullable());

export type ControlChanges = z.infer<typeof ControlChanges>;

const ControlChoice = z.object({ id: value, label: z.string(), description: z.string().optional() });

/** A setting that only this agent has, in its own terms. */
export const Control = z.object({
  id: ControlId,
  label: z.string(),
  choices: z.array(ControlChoice),
  /** Accepts values that are not among the choices, such as names from the user's own files. */
  open: z.literal(true).optional(),
  /** The choice that applies if the session sets none. Absent: the mode or the agent's configuration decides. */
  default: z.string().optional(),
  /** The choice that each mode sets if the session sets none. */
  byMode: z.partialRecord(Mode, z.string()).optional(),
  /** The only modes in which it has an effect. Absent: all. */
  modes: z.array(Mode).optional(),
  /** Whether it can change in a running process. Otherwise it takes effect with the next start. */
  live: z.boolean(),
  /** The agent's own setting that it sets. */
  maps: z.string(),
});

export type Control = z.infer<typeof Control>;

/** The lowest mode that permits a combination of choices. Of several matching rules, the first one counts. */
export const ControlRule = z.object({ when: z.record(ControlId, z.array(z.string())), needs: Mode });

export type ControlRule = z.infer<typeof ControlRule>;

/** The native controls of an agent. A choice that no rule covers needs `full-auto` if its control occurs in a rule. */
export const ControlSet = z.object({ items: z.array(Control), rules: z.array(ControlRule) });

export type ControlSet = z.infer<typeof ControlSet>;
