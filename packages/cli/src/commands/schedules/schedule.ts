import { resolve } from "node:path";
import type { Client } from "@gantry/client";
import type { Delivery, Mode, Schedule } from "@gantry/protocol";
import { firstLine, renderTable, shortId, stripControls } from "@gantry/terminal";
import { attachmentsOf } from "../../arguments/attachments.ts";
import { type ControlFlags, controlChanges, orUnset } from "../../arguments/controls.ts";
import { promptText } from "../../arguments/prompt-text.ts";
import { pick, resolveSession } from "../../arguments/resolve.ts";
import { isLater, rhythmOf, secondsOf, timeOf, type WhenFlags } from "../../arguments/times.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { momentOf, scheduleLine, targetOf, whenOf } from "./render.ts";

type NoFlags = Record<never, never>;

export type NewFlags = WhenFlags &
  ControlFlags & {
    session?: string;
    agent?: string;
    model?: string;
    mode?: Mode | "default";
    effort?: string;
    cwd?: string;
    lane?: string;
    addDir?: readonly string[];
    title?: string;
    note?: string;
    attach?: readonly string[];
  };

/** All of them, those that come first at the top. */
export async function list(this: Context): Promise<void> {
  const { output } = this;
  const schedules = await (await connect(this)).schedules.list();
  if (output.json) return output.data({ schedules });
  if (schedules.length === 0) return output.print('No schedules. Create one: gantry send <session> --in 20m "…"');
  const order = (one: Schedule) => (one.enabled ? (one.nextAt ?? "3") : "4");
  const now = new Date();
  const rows = schedules
    .toSorted((a, b) => order(a).localeCompare(order(b)))
    .map((one) => [
      output.paint.bold(shortId(one.id)),
      whenOf(one),
      one.enabled ? (one.nextAt ? momentOf(one.nextAt, now) : "waits") : output.paint.dim(one.reason ?? "paused"),
      targetOf(one),
      firstLine(stripControls(one.note ?? one.text)),
      output.paint.dim(`${one.runs}${one.misses > 0 ? `, ${one.misses} missed` : ""}`),
    ]);
  const titles = ["ID", "WHEN", "NEXT", "FOR", "TEXT", "RUNS"];
  const columns = titles.map((title) => ({ title, ...(title === "TEXT" ? { shrink: true } : {}) }));
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
}

/** A new one, for a session or for a new session each time. */
export async function add(this: Context, flags: NewFlags, ...args: string[]): Promise<void> {
  if (!isLater(flags)) throw usageError("Give a time: --at, --in, --every or --after.");
  const text = await promptText(args, this.output.streams.input);
  const client = await connect(this);
  const target = await targetFlags(client, flags);
  const attachments = attachmentsOf(flags.attach, target.cwd);
  const { session, create } = target;
  await schedule(this, client, flags, { session, create, text, attachments, note: flags.note });
}

async function targetFlags(client: Client, flags: NewFlags) {
  const { session: name, agent, model, mode, effort, lane, title } = flags;
  if ((name === undefined) === (agent === undefined)) {
    throw usageError("Give a recipient: --session, or --agent for a new session each time.");
  }
  if (name !== undefined) {
    const { id, cwd } = await resolveSession(client, name);
    return { session: id, create: undefined, cwd };
  }
  const cwd = lane === undefined ? resolve(flags.cwd ?? ".") : undefined;
  const folders = flags.addDir?.map((path) => resolve(path));
  const settings = {
    model: orUnset(model),
    mode: orUnset(mode),
    effort: orUnset(effort),
    controls: controlChanges(flags),
  };
  const create = { agent: agent ?? "", ...settings, cwd, lane, folders, title };
  return { session: undefined, create, cwd: cwd ?? "." };
}

type Body = Omit<Parameters<Client["schedules"]["add"]>[0], "at" | "every" | "after">;

/** Creates a schedule from the time flags and prints it. */
export async function schedule(context: Context, client: Client, flags: WhenFlags, body: Body): Promise<void> {
  const { output } = context;
  const now = new Date();
  const made = await client.schedules.add({ ...body, ...(await timeFlags(client, flags, now)) });
  output.json ? output.data(made) : output.print(scheduleLine(made, now));
}

async function timeFlags(client: Client, flags: WhenFlags, now: Date) {
  if (flags.in !== undefined) return { at: new Date(now.getTime() + secondsOf(flags.in) * 1000).toISOString() };
  if (flags.at !== undefined) return { at: timeOf(flags.at, now) };
  if (flags.every !== undefined) return { every: rhythmOf(flags.every) };
  const { id } = await resolveSession(client, flags.after ?? "last");
  return { after: { session: id, outcome: flags.outcome ?? "any" } };
}

export async function remove(this: Context, _flags: NoFlags, ...names: string[]): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const found = await Promise.all(names.map((name) => resolveSchedule(client, name)));
  for (const { id } of found) await client.schedules.delete(id);
  const removed = found.map(({ id }) => id);
  output.json ? output.data({ removed }) : output.print(`removed: ${removed.map(shortId).join(", ")}`);
}

export type ChangeFlags = WhenFlags & { delivery?: Delivery; note?: string; attach?: readonly string[] };

/** Changes only the given fields. A new time restarts a schedule that has finished. */
export async function change(this: Context, flags: ChangeFlags, name: string, ...args: string[]): Promise<void> {
  const { delivery, note } = flags;
  const isRetimed = isLater(flags);
  if (!isRetimed && args.length === 0 && (delivery ?? note ?? flags.attach) === undefined) {
    throw usageError("Give what changes: a time, a message, --delivery, --note or --attach.");
  }
  const client = await connect(this);
  const { id, session, create, reason } = await resolveSchedule(client, name);
  const cwd = session === undefined ? create?.cwd : (await client.sessions.get(session)).cwd;
  const attachments = attachmentsOf(flags.attach, cwd ?? ".");
  const now = new Date();
  const changed = await client.schedules.change(id, {
    ...(isRetimed ? await timeFlags(client, flags, now) : {}),
    ...(isRetimed && reason !== undefined ? { enabled: true } : {}),
    ...(args.length === 0 ? {} : { text: await promptText(args, this.output.streams.input) }),
    ...(attachments === undefined ? {} : { attachments }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(note === undefined ? {} : { note }),
  });
  this.output.json ? this.output.data(changed) : this.output.print(scheduleLine(changed, now));
}

export type PauseFlags = { undo: boolean };

export async function pause(this: Context, { undo }: PauseFlags, name: string): Promise<void> {
  const client = await connect(this);
  const { id } = await resolveSchedule(client, name);
  const changed = await client.schedules.change(id, { enabled: undo });
  this.output.json ? this.output.data(changed) : this.output.print(scheduleLine(changed, new Date()));
}

export async function runNow(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const client = await connect(this);
  const { id } = await resolveSchedule(client, name);
  const ran = await client.schedules.run(id);
  if (this.output.json) return this.output.data(ran);
  const { outcome, session = "" } = ran.lastRun ?? {};
  this.output.print(`${outcome} · gantry attach ${shortId(session)} to watch`);
}

async function resolveSchedule(client: Client, name: string): Promise<Schedule> {
  const schedules = await client.schedules.list();
  const named = schedules.map((one) => ({ ...one, title: firstLine(one.note ?? one.text) }));
  return pick("schedule", name, named, "gantry schedule");
}
