import type { ImageBlock } from "@gantry/models";
import { endText } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import { type AgentSession, SessionError } from "../contract/session.ts";
import { createEventWire } from "../rpc/wire/event-wire.ts";

export type PrintOptions = {
  session: AgentSession;
  prompts: readonly string[];
  images?: ImageBlock[];
  /** Receives results. */
  write(text: string): void;
  /** Receives warnings and errors. */
  reportError(text: string): void;
};

/**
 * Sends the prompts one at a time and prints the last answer. Returns the exit status: 1 if a run failed. Rejects with a
 * `SessionError` if a prompt is not possible, for example without a model; the session is disposed then, too.
 */
export async function runPrint(options: PrintOptions): Promise<number> {
  const { session, write, reportError } = options;
  let hasRun = false;
  const failure = await runAll(options, (event) => {
    hasRun ||= event.type === "agent_start";
    if (event.type === "notice" && event.level !== "info") reportError(event.message);
  });
  // A command of an extension may have handled the prompt without the model.
  const text = hasRun ? session.lastAssistantText() : null;
  if (text) write(text.endsWith("\n") ? text : `${text}\n`);
  if (failure !== undefined) reportError(failure);
  await session.dispose();
  return failure === undefined ? 0 : 1;
}

/** Like `runPrint`, but prints every event as a line of JSON. */
export async function runJson(options: PrintOptions): Promise<number> {
  const { session, write } = options;
  const toWire = createEventWire();
  const line = (value: unknown) => write(`${JSON.stringify(value)}\n`);
  line({ type: "session", version: 3, id: session.id, cwd: session.cwd });
  const failure = await runAll(options, (event) => line(toWire(event)));
  if (failure !== undefined) options.reportError(failure);
  await session.dispose();
  return failure === undefined ? 0 : 1;
}

/** Returns why the last run failed; `undefined` if it completed. */
async function runAll(
  { session, prompts, images }: PrintOptions,
  listen: (event: AgentEvent) => void,
): Promise<string | undefined> {
  let failure: string | undefined;
  const leave = session.subscribe((event) => {
    listen(event);
    if (event.type !== "agent_settled") return;
    failure = event.reason === "completed" ? undefined : (event.errorMessage ?? endText(event.reason));
  });
  try {
    for (const [at, prompt] of prompts.entries()) {
      await session.prompt(prompt, at === 0 && images?.length ? { images } : {});
      await session.waitUntilSettled();
      if (failure !== undefined) break;
    }
  } catch (error) {
    if (error instanceof SessionError) {
      await session.dispose();
      throw error;
    }
    failure = (error as Error).message;
  } finally {
    leave();
  }
  return failure;
}
