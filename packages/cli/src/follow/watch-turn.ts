import type { Client } from "@gantry/client";
import type { InputRequest, Session } from "@gantry/protocol";
import { shortId } from "@gantry/terminal";
import { answerHints, loadHighlighter } from "@gantry/terminal/transcript";
import type { Context } from "../program/context.ts";
import { type ExitCode, exitCodes } from "../program/exit-codes.ts";
import { acknowledgeTurn } from "./acknowledge-turn.ts";
import { type Asker, terminalAsker } from "./ask.ts";
import { catchInterrupts, type Interrupts } from "./interrupts.ts";
import { followTurn, type TurnOptions, type TurnResult } from "./turn.ts";
import { makeView, type View } from "./view.ts";

export type WatchOptions = Pick<TurnOptions, "after" | "until"> & {
  client: Client;
  session: Session;
  timeoutSeconds?: number;
  /** Does the deadline also stop the turn? */
  timeoutInterrupts?: boolean;
  asker?: Asker;
};

/** How long the end of an interrupted turn is waited for once a deadline has passed. */
const GRACE_MS = 15_000;

/**
 * Follows a turn, prints its outcome and sets the exit status. Shared by `run`, `send --wait`, `wait` and `demo`.
 */
export async function watchTurn(context: Context, options: WatchOptions): Promise<TurnResult> {
  const { output } = context;
  const session = options.session.id;
  if (output.width && output.paint.enabled) await loadHighlighter();
  const view = makeView(output, { turnStartedAt: options.session.turn?.startedAt, cwd: options.session.cwd });
  const interrupts = catchInterrupts(() => {
    view.status(output.paint.yellow("interrupting… Ctrl-C again leaves the turn running"));
    options.client.call("interrupt", { params: { id: session } }).catch((error: Error) => {
      view.print([`the turn could not be interrupted: ${error.message}`]);
    });
  });
  const deadline = watchDeadline(options, interrupts, view);
  try {
    const result = await followTurn({
      ...options,
      session,
      view,
      asker: options.asker ?? (output.interactive ? terminalAsker(output) : undefined),
      signal: interrupts.signal,
      interrupting: interrupts.asked,
    });
    view.close();
    context.process.exitCode = deadline.passed() ? exitCodes.failed : exitOf(result, interrupts.asked());
    conclude(context, session, result);
    if ("end" in result) await acknowledgeTurn(context, options.client, session, result.end.turn);
    return result;
  } finally {
    view.close();
    deadline.clear();
    interrupts.dispose();
  }
}

/** Prints what the transcript does not show. */
function conclude({ output }: Context, session: string, result: TurnResult): void {
  if (result.outcome === "undelivered") output.note(`The message did not reach the agent: ${result.reason}`);
  if (result.outcome === "limited") output.note(`The message waits: ${result.text} (gantry limits)`);
  if (result.outcome === "waiting" && !output.json) output.print(waitingLines(result.inputs));
  if (result.outcome === "detached") output.note(`Left running. To come back: gantry attach ${shortId(session)}`);
}

function exitOf({ outcome }: TurnResult, interrupted: boolean): ExitCode {
  if (outcome === "undelivered") return interrupted ? exitCodes.interrupted : exitCodes.failed;
  if (outcome === "limited") return exitCodes.failed;
  return outcome === "detached" ? exitCodes.interrupted : exitCodes[outcome];
}

/** The commands that answer a pending input, for pipes. */
export function waitingLines(inputs: readonly InputRequest[]): string[] {
  return inputs.flatMap((input) => [
    "",
    `Waiting for an answer to: ${input.title}`,
    ...answerHints(input).map((hint) => `  ${hint}`),
  ]);
}

function watchDeadline(options: WatchOptions, interrupts: Interrupts, view: View) {
  let passed = false;
  let timer: NodeJS.Timeout | undefined;
  if (options.timeoutSeconds !== undefined) {
    timer = setTimeout(() => {
      passed = true;
      view.print([`timed out after ${options.timeoutSeconds} s`]);
      if (!options.timeoutInterrupts) return interrupts.leave();
      interrupts.ask();
      timer = setTimeout(() => interrupts.leave(), GRACE_MS);
    }, options.timeoutSeconds * 1000);
  }
  return { passed: () => passed, clear: () => clearTimeout(timer) };
}
