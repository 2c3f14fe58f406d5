import { createInterface } from "node:readline";
import type { Client } from "@gantry/client";
import { groupNames, type InputRequest, orderSessions, type Session, statusText } from "@gantry/protocol";
import { firstLine, makePaint, pluralize, stripControls } from "@gantry/terminal";
import { renderInput, Transcript } from "@gantry/terminal/transcript";
import { choiceOf, choicesOf, questionReply } from "../../follow/reply.ts";
import type { Context } from "../../program/context.ts";

const SHOWN = 30;
const REPLAYED = 100;
const PLAIN = makePaint(false);

type Lines = { print(lines: readonly string[]): void; ask(question: string): Promise<string | undefined> };

/**
 * The program for screen readers: lines that are printed once, in order, without colour, cursor movement or live rows. A
 * number opens a session; in a session every line is a message or an answer.
 */
export async function runPlain({ output }: Context, client: Client, first?: string): Promise<void> {
  const reader = createInterface({ input: output.streams.input, output: output.streams.output, terminal: false });
  // Lines that arrive while a request runs wait in the iterator.
  const typed = reader[Symbol.asyncIterator]();
  const lines: Lines = {
    print: (texts) => output.print(texts),
    ask: async (question) => {
      output.streams.output.write(question);
      const { value, done } = await typed.next();
      return done ? undefined : value;
    },
  };
  try {
    if (first && (await openPlain(client, first, lines)) === "quit") return;
    while ((await chooseSession(client, lines)) !== "quit") {}
  } finally {
    reader.close();
  }
}

async function chooseSession(client: Client, lines: Lines): Promise<"quit" | undefined> {
  const { sessions } = await client.sessions.list({ limit: 200 });
  const ordered = orderSessions(sessions).slice(0, SHOWN);
  lines.print([`${pluralize(ordered.length, "session")}.`]);
  lines.print(ordered.map((one, index) => `${index + 1}. ${sessionLine(one)}`));
  const line = (await lines.ask("Number to open, empty to list again, q to quit: "))?.trim();
  if (line === undefined || line === "q") return "quit";
  if (line === "") return undefined;
  const chosen = ordered[Number(line) - 1];
  if (chosen) return openPlain(client, chosen.session.id, lines);
  lines.print([`There is no session ${line}.`]);
  return undefined;
}

function sessionLine({ session, status }: ReturnType<typeof orderSessions<Session>>[number]): string {
  const detail = status.detail ? `, ${stripControls(status.detail)}` : "";
  return `${statusText(status) || groupNames[status.group]}: ${firstLine(stripControls(session.title))}, ${session.agent}${detail}`;
}

/** Prints the end of the conversation, then what follows, while it reads lines. */
async function openPlain(client: Client, id: string, lines: Lines): Promise<"quit" | undefined> {
  const session = await client.sessions.get(id);
  const leave = new AbortController();
  const transcript = new Transcript({ paint: PLAIN, cwd: session.cwd, turnStartedAt: session.turn?.startedAt });
  lines.print([`Session ${stripControls(session.title)}. /back returns, /stop stops the turn, /quit ends.`]);
  const after = Math.max(0, session.lastSeq - REPLAYED);
  const following = follow(client, id, { after, signal: leave.signal, transcript, lines });
  try {
    for (;;) {
      const line = (await lines.ask(""))?.trim();
      if (line === undefined || line === "/quit") return "quit";
      if (line === "/back") return undefined;
      if (line !== "") await obey(client, id, line, lines).catch((error: Error) => lines.print([error.message]));
    }
  } finally {
    leave.abort();
    await following;
  }
}

type Following = { after: number; signal: AbortSignal; transcript: Transcript; lines: Lines };

async function follow(client: Client, id: string, { after, signal, transcript, lines }: Following): Promise<void> {
  try {
    for await (const frame of client.follow(id, { after, signal })) {
      if ("event" in frame) lines.print(transcript.event(frame.event).filter((row) => row !== ""));
      if ("event" in frame && frame.event.type === "input.requested") lines.print([answersOf(frame.event.data)]);
    }
  } catch (error) {
    if (!signal.aborted) lines.print([(error as Error).message]);
  }
}

function answersOf(input: InputRequest): string {
  if (input.questions.length > 0) return "Type the number of an option, or your answer.";
  return `Type ${choicesOf(input)
    .map(({ key, label }) => `${key} for ${label}`)
    .join(", ")}.`;
}

async function obey(client: Client, id: string, line: string, lines: Lines): Promise<void> {
  if (line === "/stop") return void (await client.sessions.interrupt(id));
  const { inputs } = await client.sessions.get(id);
  const [input] = inputs;
  if (!input || line.startsWith("/send ")) {
    const { disposition } = await client.sessions.send(id, { text: line.replace(/^\/send /, "") });
    if (disposition !== "started") lines.print([`The message is ${disposition}.`]);
    return;
  }
  const [question] = input.questions;
  if (question) {
    const reply = questionReply(question, line);
    if (reply === undefined) return lines.print(["That is none of the options."]);
    return void (await client.answer(input.id, { decision: "allow", answers: { [question.id]: reply } }));
  }
  const [word = "", ...rest] = line.split(/\s+/);
  const choice = choiceOf(choicesOf(input), word);
  if (!choice) return lines.print([...renderInput(input, { paint: PLAIN }), answersOf(input)]);
  const message = choice.more === "message" ? { message: rest.join(" ") } : {};
  await client.answer(input.id, { ...choice.answer, ...message });
}
