import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Client } from "@gantry/client";
import {
  type ChangeProject,
  findProject,
  formatControls,
  type Mode,
  type Project,
  type ProjectColor,
  type ProjectCommand,
  type ProjectDetails,
} from "@gantry/protocol";
import { homePath, pluralize, renderFacts, renderTable, shortId, stripControls } from "@gantry/terminal";
import { type ControlFlags, controlChanges, orUnset } from "../../arguments/controls.ts";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

type NoFlags = Record<never, never>;
type PinFlags = { project?: string };

export type SetProjectFlags = ControlFlags & {
  name?: string;
  color?: ProjectColor | "default";
  agent?: string;
  model?: string;
  mode?: Mode | "default";
  effort?: string;
  setup?: string;
  check?: string;
};

export async function list(this: Context): Promise<void> {
  const { output } = this;
  const { projects } = await (await connect(this)).projects.list();
  if (output.json) return output.data({ projects });
  if (projects.length === 0) return output.print("No projects yet. A repository is one as soon as it has a session.");
  const columns = [" ", "PROJECT", "SESSIONS", "PINS", "FOLDER"].map((title) => ({ title }));
  const rows = projects.map(({ pinned, name, sessions, pins, root }) => [
    pinned ? "★" : " ",
    output.paint.bold(stripControls(name)),
    String(sessions),
    String(pins.length),
    stripControls(homePath(root)),
  ]);
  output.print(renderTable(columns, rows, { header: output.paint.dim }));
}

export async function show(this: Context, _flags: NoFlags, name?: string): Promise<void> {
  const client = await connect(this);
  const { id } = await requireProject(client, name);
  print(this, await client.projects.get(id));
}

export async function add(this: Context, _flags: NoFlags, folder = "."): Promise<void> {
  const client = await connect(this);
  print(this, await client.projects.add({ path: resolve(folder) }));
}

export async function set(this: Context, flags: SetProjectFlags, name?: string): Promise<void> {
  const body = changesOf(flags);
  if (Object.keys(body).length === 0) throw usageError("There is nothing to change.", "gantry projects set --help");
  const client = await connect(this);
  const { id } = await requireProject(client, name);
  print(this, await client.projects.change(id, body));
}

export async function pin(this: Context, { project }: PinFlags, ...sessions: string[]): Promise<void> {
  await changePins(this, project, sessions, (ids) => (ids.length > 0 ? { pin: ids } : { pinned: true }));
}

export async function unpin(this: Context, { project }: PinFlags, ...sessions: string[]): Promise<void> {
  await changePins(this, project, sessions, (ids) => (ids.length > 0 ? { unpin: ids } : { pinned: false }));
}

export async function remove(this: Context, _flags: NoFlags, name?: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const project = await requireProject(client, name);
  const { removed } = await client.projects.remove(project.id);
  if (output.json) return output.data({ id: project.id, removed });
  const text = removed
    ? "removed: name, colour and pins. Files and sessions stay."
    : "has neither name, colour nor pins.";
  output.print(`${stripControls(project.name)} ${text}`);
}

/** Without `--project`, the first session decides: pins belong to the project of the session. */
async function changePins(
  context: Context,
  named: string | undefined,
  sessions: readonly string[],
  bodyOf: (ids: string[]) => ChangeProject,
): Promise<void> {
  const client = await connect(context);
  const found = await Promise.all(sessions.map((session) => resolveSession(client, session)));
  const { id } = await requireProject(client, named ?? found[0]?.cwd);
  print(context, await client.projects.change(id, bodyOf(found.map((session) => session.id))));
}

/** By id, name or folder; without one, the project of the working folder. */
async function requireProject(client: Client, name = "."): Promise<Project> {
  const { projects } = await client.projects.list();
  const named = projects.filter((project) => project.id === name || project.name === name);
  if (named.length > 1) {
    throw usageError(`${named.length} projects are named ${name}.`, `Name the folder: ${named[0]?.root}`);
  }
  const found = named[0] ?? findProject(projects, realFolder(name));
  if (found) return found;
  throw usageError(`There is no project ${name === "." ? "in this folder" : name}.`, "gantry projects add <folder>");
}

function realFolder(path: string): string {
  try {
    return realpathSync(resolve(path));
  } catch {
    return resolve(path);
  }
}

function changesOf(flags: SetProjectFlags): ChangeProject {
  const { name, color, agent, model, mode, effort, setup, check } = flags;
  const all = { name, color, agent, model, mode, effort, setup, check };
  const changes = Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [[key, orUnset(value)]]));
  const controls = controlChanges(flags);
  return { ...Object.fromEntries(changes), ...(controls ? { controls } : {}) };
}

function print({ output }: Context, project: ProjectDetails): void {
  if (output.json) return output.data(project);
  const { name, root, color, pinned, sessions, pins, defaults, setup, check, withheld } = project;
  output.print([
    output.paint.bold(stripControls(name)),
    ...renderFacts(
      [
        ["folder", stripControls(homePath(root))],
        ["colour", color],
        ["pinned", pinned ? "yes" : "no"],
        ["sessions", String(sessions)],
        ["pins", pins.map(shortId).join(" ") || undefined],
        ["agent", defaults.agent],
        ["model", defaults.model],
        ["mode", defaults.mode],
        ["effort", defaults.effort],
        ["controls", defaults.controls && formatControls(defaults.controls)],
        ["set-up", setup && commandText(setup)],
        ["check", check && commandText(check)],
      ],
      output.paint.dim,
    ),
  ]);
  for (const text of withheld) output.note(stripControls(text));
  const untrusted = [setup, check].filter((command) => command && !command.trusted).length;
  if (untrusted > 0) output.note(`${pluralize(untrusted, "command")} not trusted yet: gantry trust ${homePath(root)}`);
}

function commandText({ command, trusted }: ProjectCommand): string {
  return `${stripControls(command)}${trusted ? "" : " (not trusted, does not run)"}`;
}
