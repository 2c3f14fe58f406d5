import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Client } from "@gantry/client";
import { type Applied, formatControls, type Mode, type ResolvedDefaults } from "@gantry/protocol";
import { homePath, renderFacts, shortId, stripControls } from "@gantry/terminal";
import { type ControlFlags, controlChanges, orUnset } from "../../arguments/controls.ts";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

export type SetFlags = ControlFlags & {
  model?: string;
  mode?: Mode | "default";
  effort?: string;
  addDir?: readonly string[];
  removeDir?: readonly string[];
  defaults?: "user" | "project";
  agent?: string;
  for?: string;
  titles?: "on" | "off";
  lead?: "on" | "off";
  unset?: readonly ("agent" | "model" | "mode" | "effort")[];
};

/** Changes settings of a session, and prints when each takes effect; or changes and prints defaults of new sessions. */
export default async function set(this: Context, flags: SetFlags, name?: string): Promise<void> {
  if (flags.defaults !== undefined && name !== undefined) throw usageError("Give a session or --defaults, not both.");
  const [model, mode, effort] = [orUnset(flags.model), orUnset(flags.mode), orUnset(flags.effort)];
  const changes = withoutAbsent({ model, mode, effort, controls: controlChanges(flags) });
  if (flags.defaults !== undefined && flags.lead !== undefined) throw usageError("--lead needs a session.");
  if (flags.defaults !== undefined) return setDefaults(this, await connect(this), flags.defaults, flags, changes);
  // A session always has a mode: the built-in one stands for no choice.
  const body = withoutAbsent({
    ...changes,
    mode: mode === null ? ("ask" as const) : mode,
    lead: flags.lead && flags.lead === "on",
  });
  if (name === undefined) throw usageError("Name a session, or give --defaults user or --defaults project.");
  const [foreign] = (["agent", "for", "unset", "titles"] as const).filter((flag) => flags[flag] !== undefined);
  const changesFolders = flags.addDir !== undefined || flags.removeDir !== undefined;
  if (foreign) {
    const hint = foreign === "agent" ? "To change the agent of a session: gantry handoff." : undefined;
    throw usageError(`--${foreign} needs --defaults.`, hint);
  }
  if (Object.keys(body).length === 0 && !changesFolders) {
    throw usageError(
      "There is nothing to set.",
      "Give --model, --mode, --effort, --fast, --control, --add-dir or --lead.",
    );
  }
  const client = await connect(this);
  const { id, folders = [] } = await resolveSession(client, name);
  const more = changesFolders ? { folders: nextFolders(folders, flags) } : {};
  const changed = await client.sessions.patch(id, { ...body, ...more });
  if (this.output.json) return this.output.data(changed);
  this.output.print([shortId(id), ...appliedLines(changed)]);
}

/** The session's folders after the change. They have their links resolved. Throws for a folder that it does not have. */
export function nextFolders(folders: readonly string[], { addDir = [], removeDir = [] }: SetFlags): string[] {
  const removed = removeDir.map((path) => {
    const found = folders.find((folder) => folder === resolve(path) || folder === realPath(path));
    if (found !== undefined) return found;
    const known = folders.length > 0 ? `It has: ${folders.join(", ")}.` : "It has none.";
    throw usageError(`${path} is not a further folder of the session. Nothing was changed.`, known);
  });
  return [...new Set([...folders, ...addDir.map((path) => resolve(path))])].filter((path) => !removed.includes(path));
}

/** `undefined` if the path does not exist on this machine. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

type Changes = Pick<Parameters<Client["defaults"]["set"]>[0], "model" | "mode" | "effort" | "controls">;

/** Without a change, prints what applies in this folder. */
async function setDefaults(
  { output }: Context,
  client: Client,
  scope: "user" | "project",
  flags: SetFlags,
  { model, mode, effort, controls }: Changes,
): Promise<void> {
  const cwd = resolve(".");
  const removed = Object.fromEntries((flags.unset ?? []).map((setting) => [setting, null]));
  const titles = flags.titles && flags.titles === "on";
  const changes = { ...removed, ...withoutAbsent({ agent: flags.agent, model, mode, effort, controls, titles }) };
  const isChange = Object.keys(changes).length > 0;
  const of = flags.for === undefined ? {} : { for: flags.for };
  const resolved = isChange
    ? await client.defaults.set({ scope, cwd, ...of, ...changes })
    : await client.defaults.get({ cwd, ...(flags.for === undefined ? {} : { agent: flags.for }) });
  if (output.json) return output.data(resolved);
  output.print([
    ...renderFacts(defaultFacts(resolved), output.paint.dim),
    ...resolved.withheld.map(output.paint.yellow),
  ]);
}

const SOURCES = { project: "project", user: "config.yml", last: "last used here", only: "the only one ready" } as const;

function defaultFacts({ sources, projectFile, ...resolved }: ResolvedDefaults): [string, string | undefined][] {
  const { agent, model, mode, effort, controls } = resolved;
  const values = { agent, model, mode, effort, controls: controls && formatControls(controls) };
  const facts = Object.entries(values).map(([key, value]): [string, string | undefined] => {
    const source = sources[key as keyof typeof values];
    return [key, value && `${stripControls(value)}  (${source ? SOURCES[source] : "built in"})`];
  });
  const titles = resolved.titles === false ? "from the first message" : "by a cheap model, where one is available";
  return [...facts, ["titles", titles], ["project", projectFile && homePath(projectFile)]];
}

const WHEN = { now: "in effect", next_turn: "from the next turn", next_start: "when the agent starts next" } as const;

/** One line for each change of settings, for people. */
export function appliedLines({ applied, handoff }: Applied): string[] {
  const lines = applied.map(({ field, value, when }) => {
    const text =
      field === "controls" ? formatControls(value as Record<string, string>) || "default" : settingText(value);
    return `  ${field}  ${stripControls(text)}  ${WHEN[when]}`;
  });
  return handoff ? [...lines, `  handed off to ${handoff.to}`] : lines;
}

function settingText(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return String(value ?? "default") || "none";
}

function withoutAbsent<T extends object>(body: T): T {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as T;
}
