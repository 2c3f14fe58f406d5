import { resolve } from "node:path";
import type { Mode } from "@gantry/protocol";
import { shortId } from "@gantry/terminal";
import { attachmentsOf } from "../../arguments/attachments.ts";
import { controlChanges, type OnOff, orUnset } from "../../arguments/controls.ts";
import { promptText } from "../../arguments/prompt-text.ts";
import { connect } from "../../daemon/connect.ts";
import { createWithSetup, watchWithSetup } from "../../follow/offer-setup.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { laneForRun } from "../lanes/lane-for-run.ts";

export type RunFlags = {
  agent?: string;
  model?: string;
  mode?: Mode | "default";
  effort?: string;
  control?: readonly string[];
  fast?: OnOff;
  cwd?: string;
  lane?: string;
  addDir?: readonly string[];
  title?: string;
  resume?: string;
  attach?: readonly string[];
  instructions?: string;
  timeout?: number;
  detach: boolean;
};

/** Creates a session, sends the prompt, follows the turn, and exits with its outcome. */
export default async function run(this: Context, flags: RunFlags, ...args: string[]): Promise<void> {
  if (flags.cwd !== undefined && flags.lane !== undefined) throw usageError("Give --cwd or --lane, not both.");
  const prompt = await promptText(args, this.output.streams.input);
  const client = await connect(this);
  const { agent, title, instructions, resume } = flags;
  const [model, mode, effort] = [orUnset(flags.model), orUnset(flags.mode), orUnset(flags.effort)];
  const controls = controlChanges(flags);
  const folder = resolve(flags.cwd ?? ".");
  const place = flags.lane === undefined ? undefined : await laneForRun(this, client, flags.lane, folder);
  const lane = place?.id;
  const cwd = place ? undefined : folder;
  const attachments = attachmentsOf(flags.attach, place?.path ?? folder);
  const settings = { agent, model, mode, effort, controls };
  const folders = flags.addDir?.map((path) => resolve(path));
  const body = { ...settings, lane, folders, title, cwd, instructions, resume, prompt, attachments };
  const session = await createWithSetup(this, client, body);
  if (flags.detach) return this.output.json ? this.output.data(session) : this.output.print(detachedLines(session.id));
  const timeout = { timeoutSeconds: flags.timeout, timeoutInterrupts: true };
  await watchWithSetup(this, { client, session, after: 0, until: "first", ...timeout }, { text: prompt, attachments });
}

function detachedLines(session: string): string[] {
  const id = shortId(session);
  return [
    `${session} is running`,
    `  gantry attach ${id}    # follow it and send messages`,
    `  gantry wait ${id}      # until it is done`,
  ];
}
