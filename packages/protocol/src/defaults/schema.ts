import { z } from "zod";
import { ControlChanges, ControlValues } from "../controls/schema.ts";
import { AgentId, ModelId } from "../ids/schema.ts";
import { Mode } from "../modes/schema.ts";

const effort = z.string().regex(/^[a-z]{1,20}$/, "must be a word such as low, medium or high");

/** Defaults of new sessions with one agent. */
export const AgentDefaults = z.strictObject({
  model: ModelId.optional().describe("Model of new sessions with the default agent."),
  mode: Mode.optional().describe("Mode of new sessions. Without one: ask."),
  effort: effort.optional().describe("Reasoning effort of new sessions with the default agent."),
  controls: ControlValues.optional().describe("Native controls of new sessions with the default agent."),
});

/** Defaults of new sessions, of the user or of a project. `agents` has those of single agents, which come first. */
export const Defaults = AgentDefaults.extend({
  agent: AgentId.optional().describe("Agent of new sessions that name none."),
  agents: z.record(AgentId, AgentDefaults).optional(),
});

export type Defaults = z.infer<typeof Defaults>;

export const DefaultSource = z.enum(["project", "user", "last", "only"]);

export type DefaultSource = z.infer<typeof DefaultSource>;

/** The settings that a new session in a folder gets if its request names none, and where each of them comes from. */
export const ResolvedDefaults = z.object({
  agent: AgentId.optional(),
  model: z.string().optional(),
  mode: Mode,
  effort: z.string().optional(),
  controls: ControlValues.optional(),
  /** Whether a cheap model may write titles and lane names: only if neither file forbids it. */
  titles: z.boolean().optional(),
  /** By setting. `last`: the agent last used in the folder; `only`: the only one that is ready. Absent: built in. */
  sources: z.partialRecord(z.enum(["agent", "model", "mode", "effort", "controls"]), DefaultSource),
  /** The agents that are ready on this machine; only if nothing names an agent, because it needs a probe of all. */
  choices: z.array(AgentId),
  /** What the files themselves contain. `path` of the project's file if the folder has one. */
  user: Defaults,
  project: Defaults,
  projectFile: z.string().optional(),
  /** Defaults of the project that are not used, as sentences: mistakes, or permissions that need trust. */
  withheld: z.array(z.string()),
});

export type ResolvedDefaults = z.infer<typeof ResolvedDefaults>;

/** Changes the defaults of the user or of a project. `null` removes one. */
export const ChangeDefaults = z
  .strictObject({
    scope: z.enum(["user", "project"]),
    /** A folder of the project; required for its defaults. */
    cwd: z.string().min(1).max(4096).optional(),
    /** Changes the defaults of this agent only. */
    for: AgentId.optional(),
    agent: AgentId.nullable().optional(),
    model: ModelId.nullable().optional(),
    mode: Mode.nullable().optional(),
    effort: effort.nullable().optional(),
    controls: ControlChanges.optional(),
    /** `titles.model` of the file. */
    titles: z.boolean().nullable().optional(),
  })
  .refine(({ scope, cwd }) => scope === "user" || cwd !== undefined, "defaults of a project need cwd")
  .refine((body) => body.for === undefined || body.agent === undefined, "name either `for` or `agent`");

export type ChangeDefaults = z.infer<typeof ChangeDefaults>;
