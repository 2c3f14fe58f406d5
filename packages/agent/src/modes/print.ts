import type { ImageBlock } from "@gantry/models";
import type { AgentEvent } from "../contract/events.ts";
import type { AgentSession } from "../contract/session.ts";
import { createEventWire } from "../rpc/wire/event-wire.ts";

export type Printing = {
  session: AgentSession;
  prompts: readonly string[];
  images?: ImageBlock[];
  /** Gets results. */
  write(text: string): void;
  /** Gets words about what went wrong. */
  complain(text: string): void;
};

/** Sends the prompts one after the other and prints the last answer. Gives the exit status: 1 if it came to nothing. */
export async function runPrint(printing: Printing): Promise<number> {
  const { session, write, complain } = printing;
  const wrong = await runAll(printing, (event) => {
    if (event.type === "notice" && event.level !== "info") complain(event.message);
  });
  const text = session.lastAssistantText();
  if (text) write(text.endsWith("\n") ? text : `${text}\n`);
  if (wrong !== undefined) complain(wrong);
  await session.dispose();
  return wrong === undefined ? 0 : 1;
}

/** The same, with every event as a line of JSON. */
export async function runJson(printing: Printing): Promise<number> {
  const { session, write } = printing;
  const toWire = createEventWire();
  const line = (value: unknown) => write(`${JSON.stringify(value)}\n`);
  line({ type: "session", version: 3, id: session.id, cwd: session.cwd });
  const wrong = await runAll(printing, (event) => line(toWire(event)));
  if (wrong !== undefined) printing.complain(wrong);
  await session.dispose();
  return wrong === undefined ? 0 : 1;
}

/** Why the last run came to nothing, in words; `undefined` if it completed. */
async function runAll(
  { session, prompts, images }: Printing,
  listen: (event: AgentEvent) => void,
): Promise<string | undefined> {
  let wrong: string | undefined;
  const leave = session.subscribe((event) => {
    listen(event);
    if (event.type !== "agent_settled") return;
    wrong = event.reason === "completed" ? undefined : (event.errorMessage ?? `The run ended: ${event.reason}.`);
  });
  try {
    for (const [at, prompt] of prompts.entries()) {
      await session.prompt(prompt, at === 0 && images?.length ? { images } : {});
      await session.settled();
      if (wrong !== undefined) break;
    }
  } catch (error) {
    wrong = (error as Error).message;
  } finally {
    leave();
  }
  return wrong;
}
