import type { Client } from "@gantry/client";
import type { Handoff, HandoffBody, HandoffPlan, Mode, Session } from "@gantry/protocol";
import { editText, shortId } from "@gantry/terminal";
import { type ControlFlags, controlValues } from "../../arguments/controls.ts";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import { watchTurn } from "../../follow/watch-turn.ts";
import type { Context } from "../../program/context.ts";
import { rethrowEditorError, usageError } from "../../program/errors.ts";

export type HandoffFlags = ControlFlags & {
  model?: string;
  mode?: Mode;
  effort?: string;
  strategy?: "auto" | "fork" | "resume" | "brief";
  edit: boolean;
  dryRun: boolean;
  interrupt: boolean;
  wait: boolean;
  timeout?: number;
};

/** Hands a session to another agent, after showing or editing the brief if that is wanted. */
export default async function handoff(
  this: Context,
  flags: HandoffFlags,
  name: string,
  agent: string,
  ...args: string[]
): Promise<void> {
  const { output } = this;
  const { model, mode, effort, strategy, interrupt } = flags;
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const prompt = args.join(" ").trim() || undefined;
  let body: HandoffBody = { agent, model, mode, effort, controls: controlValues(flags), strategy, prompt };
  if (flags.dryRun || flags.edit) {
    const plan = await client.sessions.planHandoff(session.id, body);
    if (flags.dryRun) return output.json ? output.data(plan) : output.print(planLines(plan, this));
    const brief = await editBrief(this, plan.brief);
    body = { ...body, brief };
  }
  const answer = await client.sessions.handOff(session.id, { ...body, interrupt });
  if (!flags.wait) return output.json ? output.data(answer) : output.print(handoffLine(answer.handoff, session.id));
  const message = await messageOf(client, session, answer.handoff.id);
  await watchTurn(this, {
    client,
    session,
    after: session.lastSeq,
    until: message ? { message } : "rests",
    timeoutSeconds: flags.timeout,
  });
}

/** The message of a handoff, once that has begun: a turn that runs is waited for. */
async function messageOf(client: Client, session: Session, handoff: string): Promise<string | undefined> {
  for await (const frame of client.follow(session.id, { after: session.lastSeq })) {
    if (!("event" in frame)) continue;
    const { type, data } = frame.event;
    if (type === "handoff.started" && data.id === handoff) return data.message;
  }
  return undefined;
}

function planLines(
  { from, to, why, strategy, brief, receipts, dropped, blocked }: HandoffPlan,
  { output }: Context,
): string[] {
  const { paint } = output;
  const seqs = new Map(receipts.map(({ line, seq }) => [line, seq]));
  const lines = brief.split("\n").map((line) => {
    const seq = seqs.get(line);
    return seq === undefined ? line : `${line} ${paint.dim(`#${seq}`)}`;
  });
  return [
    `${paint.bold(`${from} → ${to}`)} ${paint.dim(`by ${strategy}: ${why}`)}`,
    ...dropped.map((text) => paint.yellow(text)),
    ...(blocked ? [paint.yellow(`Blocked by: ${blocked} (--interrupt)`)] : []),
    "",
    ...lines,
  ];
}

function handoffLine({ from, to, strategy, state, reason }: Handoff, session: string): string {
  const where = `gantry attach ${shortId(session)} to watch`;
  if (state === "waiting") return `the running turn is being interrupted, then ${to} takes over · ${where}`;
  if (state === "failed") return `not handed off: ${reason} The session stays with ${from}.`;
  return `${from} → ${to} by ${strategy} · ${where}`;
}

/** Opens the brief in the user's editor. Throws when there is none, or when nothing is left of the text. */
async function editBrief(context: Context, brief: string): Promise<string> {
  const text = await editText(brief, context.env).catch((error: unknown) =>
    rethrowEditorError(error, "Nothing was handed off."),
  );
  if (text.trim() === "") throw usageError("the brief is empty; nothing was handed off");
  return text.trim();
}
