import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@gantry/client";
import type { Launch, Mode } from "@gantry/protocol";
import { shortId } from "@gantry/terminal";
import { attachmentsOf } from "../../arguments/attachments.ts";
import { controlChanges, type OnOff, orUnset } from "../../arguments/controls.ts";
import { promptText } from "../../arguments/prompt-text.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { type ExitCode, exitCodes } from "../../program/exit-codes.ts";
import { launchLines } from "./render.ts";
import { parseSlot } from "./slots.ts";

export type LaunchFlags = {
  agent?: readonly string[];
  slot?: readonly string[];
  mode?: Mode | "default";
  effort?: string;
  control?: readonly string[];
  fast?: OnOff;
  base?: string;
  cwd?: string;
  addDir?: readonly string[];
  name?: string;
  attach?: readonly string[];
  id?: string;
  detach: boolean;
};

const LOOK_MS = 400;

/** Sends one prompt to several agents, each in a separate lane, and follows them on one screen. */
export default async function launch(this: Context, flags: LaunchFlags, ...args: string[]): Promise<void> {
  const wanted = [...(flags.agent ?? []), ...(flags.slot ?? [])].map(parseSlot);
  if (wanted.length === 0)
    throw usageError("Name at least one agent.", "Give one `-a <agent>` for each lane; `gantry agents` lists them.");
  const { base, name, id } = flags;
  const [mode, effort] = [orUnset(flags.mode), orUnset(flags.effort)];
  const controls = controlChanges(flags);
  const common = { ...(mode === undefined ? {} : { mode }), ...(effort === undefined ? {} : { effort }) };
  const slots = wanted.map((slot) => {
    const all = controls || slot.controls ? { controls: { ...controls, ...slot.controls } } : {};
    return { ...common, ...slot, ...all };
  });
  const prompt = await promptText(args, this.output.streams.input);
  const cwd = resolve(flags.cwd ?? ".");
  const folders = flags.addDir?.map((path) => resolve(path));
  const attachments = attachmentsOf(flags.attach, cwd);
  const client = await connect(this);
  const made = await client.launches.create({ id, prompt, attachments, cwd, base, name, folders, slots });
  const last = flags.detach ? made : await followLaunch(this, client, made);
  if (this.output.json) this.output.data(last);
  else if (flags.detach) this.output.print(launchLines(last, look(this)));
  if (!this.output.json) this.output.print(nextSteps(this, last));
  this.process.exitCode = flags.detach ? exitCodes.completed : exitOf(last);
}

/** Looks until every agent has ended its turn, or only waits for a person. Ctrl-C leaves it running. */
async function followLaunch(context: Context, client: Client, made: Launch): Promise<Launch> {
  const surface = context.output.json ? undefined : context.output.surface();
  let launch = made;
  try {
    while (!isOver(launch)) {
      surface?.live(launchLines(launch, look(context)));
      await sleep(LOOK_MS);
      launch = await client.launches.get(launch.id);
    }
    surface?.live([]);
    surface?.commit(launchLines(launch, look(context)));
  } finally {
    surface?.close();
  }
  return launch;
}

function isOver({ state, slots }: Launch): boolean {
  if (["settled", "failed", "cancelled"].includes(state)) return true;
  return state === "running" && slots.every((slot) => !["running", "sent"].includes(slot.state));
}

function exitOf({ state, slots }: Launch): ExitCode {
  if (state === "cancelled") return exitCodes.interrupted;
  if (state === "failed") return exitCodes.failed;
  if (slots.some((slot) => slot.state === "waiting")) return exitCodes.waiting;
  return slots.every((slot) => slot.state === "done") ? exitCodes.completed : exitCodes.failed;
}

function nextSteps({ output: { paint } }: Context, { id, state, slots }: Launch): string[] {
  if (state === "failed") return [];
  const short = shortId(id);
  const waits = slots.some((slot) => slot.state === "waiting")
    ? ["  gantry inbox                 # pending requests"]
    : [];
  return [
    ...waits,
    `  gantry compare ${short}        # side by side`,
    `  gantry lanes land ${slots[0]?.name}    # land one`,
  ].map(paint.dim);
}

function look({ output }: Context) {
  return { paint: output.paint, width: output.width?.() };
}
