import { resolve } from "node:path";
import { homePath, pluralize, renderChangeCount } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { followSetup, isSetupOpen, setupEnd } from "./follow-setup.ts";
import { laneLines, lanesTable } from "./render.ts";
import { requireMade, resolveLane } from "./resolve-lane.ts";

export type ListFlags = { all: boolean; archived: boolean };

/** The lanes of this folder's repository, or of all. */
export async function list(this: Context, flags: ListFlags): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const cwd = flags.all ? undefined : process.cwd();
  const found = await client.lanes.list({ cwd, archived: flags.archived ? "all" : "0", refresh: "1" });
  if (output.json) return output.data(found);
  const { lanes, adoptable } = found;
  if (lanes.length === 0) return output.print("No lanes. Create one here: gantry lanes new <name>");
  output.print(lanesTable(lanes, output));
  for (const text of new Set(lanes.flatMap(({ missing }) => missing))) output.print(output.paint.yellow(text));
  for (const { path, branch } of adoptable) {
    output.print(
      output.paint.dim(
        `${homePath(path)}${branch ? ` (${branch})` : ""} is a worktree too: gantry lanes adopt ${path}`,
      ),
    );
  }
}

export type NewFlags = {
  base?: string;
  branch?: string;
  prompt?: string;
  agent?: string;
  cwd?: string;
  noSetup: boolean;
};

export async function create(this: Context, flags: NewFlags, name?: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { base, branch, prompt, agent } = flags;
  const cwd = resolve(flags.cwd ?? ".");
  const lane = await client.lanes.create({
    cwd,
    name,
    base,
    branch,
    prompt,
    agent,
    ...(flags.noSetup ? { setup: false } : {}),
  });
  if (!output.json) output.print(laneLines(lane, output.paint));
  const setup = isSetupOpen(lane) ? await followSetup(client, lane.id, output) : undefined;
  if (setup) output.note(setupEnd(setup, lane));
  if (output.json) output.data(await client.lanes.get(lane.id));
}

export async function adopt(this: Context, flags: { name?: string }, folder: string): Promise<void> {
  const client = await connect(this);
  const lane = await client.lanes.create({ path: resolve(folder), name: flags.name });
  if (this.output.json) return this.output.data(lane);
  this.output.print(laneLines(lane, this.output.paint));
}

type NoFlags = Record<never, never>;

export async function show(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const client = await connect(this);
  const lane = await client.lanes.get((await resolveLane(client, name)).id);
  if (this.output.json) return this.output.data(lane);
  this.output.print(laneLines(lane, this.output.paint));
}

export type DiffFlags = { stat: boolean; file?: string };

/** Prints the patch unchanged on stdout, for `git apply`. */
export async function diff(this: Context, flags: DiffFlags, name: string): Promise<void> {
  const { output } = this;
  const { paint } = output;
  const client = await connect(this);
  const { id } = await resolveLane(client, name);
  const limit = flags.stat ? 1 : 32 * 1024 * 1024;
  const found = await client.lanes.diff(id, { limit, file: flags.file });
  if (output.json) return output.data(found);
  if (!flags.stat) {
    if (found.patch !== "") output.print(found.patch.replace(/\n$/, ""));
    if (found.notice) output.note(found.notice);
    return;
  }
  for (const file of found.files)
    output.print(`${file.to ? `${file.path} → ${file.to}` : file.path}  ${renderChangeCount(file, paint)}`);
  output.print(paint.dim(`${pluralize(found.files.length, "file")}, +${found.additions} −${found.deletions}`));
}

export async function rename(this: Context, _flags: NoFlags, name: string, next: string): Promise<void> {
  const client = await connect(this);
  const { id } = requireMade(await resolveLane(client, name), "renamed");
  const lane = await client.lanes.patch(id, { name: next });
  if (this.output.json) return this.output.data(lane);
  this.output.print(`${lane.name}${lane.branch ? ` on ${lane.branch}` : ""}; its folder stays ${homePath(lane.path)}`);
}

export async function archive(this: Context, flags: { undo: boolean }, ...names: string[]): Promise<void> {
  const client = await connect(this);
  for (const name of names) {
    const { id } = requireMade(await resolveLane(client, name), "archived");
    const lane = await client.lanes.patch(id, { archived: !flags.undo });
    if (this.output.json) this.output.data(lane);
    else this.output.print(`${flags.undo ? "restored" : "archived"} ${lane.name}`);
  }
}

export type SetupFlags = { again: boolean };

/** The log of the last set-up, followed while it runs; with `--again` a new one. */
export async function setup(this: Context, flags: SetupFlags, name: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const lane = await resolveLane(client, name);
  if (flags.again) await client.lanes.runSetup(lane.id);
  const ended = await followSetup(client, lane.id, output);
  if (output.json) output.data(ended);
  else output.print(setupEnd(ended, lane));
  if (ended.state === "failed" || ended.state === "timeout") this.process.exitCode = exitCodes.failed;
}
