import { z } from "zod";
import { ControlChanges } from "../controls/schema.ts";
import { Defaults } from "../defaults/schema.ts";
import { AgentId, ModelId, ProjectId, SessionId } from "../ids/schema.ts";
import { Mode } from "../modes/schema.ts";

export const projectColors = ["blue", "amber", "green", "violet", "teal", "red", "slate"] as const;

export const ProjectColor = z.enum(projectColors);

export type ProjectColor = z.infer<typeof ProjectColor>;

/** A repository, or another folder that the user added, with how it is shown and what is pinned in it. */
export const Project = z.object({
  /** Derived from the path of the main work tree. */
  id: ProjectId,
  /** The main work tree, or the folder. */
  root: z.string(),
  /** The user's name for it; without one, the name of the folder. */
  name: z.string(),
  color: ProjectColor,
  pinned: z.boolean(),
  /** The pinned sessions, the first one first. */
  pins: z.array(SessionId),
  repository: z.boolean(),
  /** The main work tree and its other work trees. A session in one of them, or below it, belongs to the project. */
  folders: z.array(z.string()),
  /** Sessions that are not archived. */
  sessions: z.number().int(),
  /** The last activity of a session. */
  usedAt: z.string().optional(),
});

export type Project = z.infer<typeof Project>;

/** A command of `.gantry/lane.yml`. It runs only if the user has trusted it. */
export const ProjectCommand = z.object({ command: z.string(), trusted: z.boolean() });

export type ProjectCommand = z.infer<typeof ProjectCommand>;

export const ProjectDetails = Project.extend({
  /** What `.gantry/project.yml` contains. */
  defaults: Defaults,
  /** The path of `.gantry/project.yml`, if there is one. */
  file: z.string().optional(),
  /** Defaults that are not used, as sentences: mistakes, or permissions that need trust. */
  withheld: z.array(z.string()),
  /** Prepares a new lane. */
  setup: ProjectCommand.optional(),
  /** Verifies the content of a lane. */
  check: ProjectCommand.optional(),
});

export type ProjectDetails = z.infer<typeof ProjectDetails>;

export const AddProject = z.strictObject({
  /** Any folder of a repository, or another folder. */
  path: z.string().min(1).max(4096).startsWith("/", "must be an absolute path"),
});

export type AddProject = z.infer<typeof AddProject>;

const effort = z.string().regex(/^[a-z]{1,20}$/, "must be a word such as low, medium or high");
const command = z.string().trim().min(1).max(10_000);

/** Changes a project. `null` removes a value. Defaults, set-up and check are written into the files of the project. */
export const ChangeProject = z.strictObject({
  name: z.string().trim().min(1).max(100).nullable().optional(),
  color: ProjectColor.nullable().optional(),
  pinned: z.boolean().optional(),
  pin: z.array(SessionId).max(100).optional(),
  unpin: z.array(SessionId).max(100).optional(),
  agent: AgentId.nullable().optional(),
  model: ModelId.nullable().optional(),
  mode: Mode.nullable().optional(),
  effort: effort.nullable().optional(),
  controls: ControlChanges.optional(),
  setup: command.nullable().optional(),
  check: command.nullable().optional(),
});

export type ChangeProject = z.infer<typeof ChangeProject>;
