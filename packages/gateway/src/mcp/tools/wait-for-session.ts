import type { Client } from "@gantry/client";
import type { Envelope, Session } from "@gantry/protocol";
import { z } from "zod";
import type { Coordinator } from "../coordinator.ts";
import { cutText } from "../reading/cut-text.ts";
import { fileFields, fileLines, InputRow, inputLines, inputRow, listFiles, sessionLine } from "../reading/rows.ts";
import { describeHold, REST_STATES, type RestState, waitForRest } from "../reading/wait-for-rest.ts";
import { defineTool, type ToolAnswer, type ToolCall } from "./define-tool.ts";

const MOST_CHARS = 12_000;
/** Events of the last turn that are searched for its answer. */
const TAIL = 400;

export const waitSeconds = z
  .number()
  .min(0)
  .max(86_400)
  .default(600)
  .describe("How long to wait at most. After it the answer is `running`, and the session continues.");

/** The result of a wait. `state` is what the caller has to act on. */
export const Waited = z.object({
  session: z.string(),
  title: z.string(),
  state: z.enum(REST_STATES),
  answer: z.string().optional().describe("The agent's last message of the last turn"),
  error: z.string().optional(),
  hold: z.string().optional().describe("The limit or budget that holds the session"),
  inputs: z.array(InputRow).describe("What it waits for"),
  ...fileFields,
  usd: z.number().optional(),
  lane: z.string().optional(),
  lastSeq: z.number().int().describe("The end of the log; read_session with `after` reads what follows"),
});

export const waitForSession = defineTool({
  name: "wait_for_session",
  title: "Wait for a session",
  description:
    "Waits until a session has nothing more to do, waits for an input, or is held by a limit. Reports what it does meanwhile as progress. Returns the outcome, its last answer, the changed files and the pending inputs. The wait survives a restart of the daemon.",
  input: z.strictObject({ session: z.string().max(210), seconds: waitSeconds }),
  output: Waited,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: (coordinator, { session, seconds }, call) => waitAndDescribe(coordinator, session, seconds, call),
});

/** Waits, and describes the end. Acknowledges the turn for a session, so that its agent is not woken for it again. */
export async function waitAndDescribe(
  { client, caller }: Coordinator,
  id: string,
  seconds: number,
  call: ToolCall,
): Promise<ToolAnswer<z.input<typeof Waited>>> {
  const [state, session] = await waitForRest(client, id, { seconds, ...call });
  const turn = session.lastTurn?.id;
  const isDone = state !== "running" && state !== "waiting";
  if (caller.kind === "session" && isDone && turn !== undefined && id !== caller.id) {
    await client.sessions.heard(id, turn).catch(() => undefined); // prose-ignore: method of the client
  }
  const data = await describeWaited(client, session, state);
  return { data, text: waitedText(data, session) };
}

async function describeWaited(client: Client, session: Session, state: RestState): Promise<z.input<typeof Waited>> {
  const { id, title, inputs, lane, lastSeq, lastTurn, cost } = session;
  const { answer, files } = await readLastTurn(client, session);
  const error = state === "failed" ? (lastTurn?.error as { message?: string } | undefined)?.message : undefined;
  const hold = state === "limited" ? describeHold(session) : undefined;
  return {
    ...{ session: id, title, state, error, hold, lane, lastSeq, ...listFiles(files) },
    answer: answer && cutText(answer, MOST_CHARS),
    inputs: inputs.map(inputRow),
    usd: cost?.usd,
  };
}

async function readLastTurn(client: Client, { id, lastTurn }: Session) {
  const { events } = await client.sessions.events(id, { tail: TAIL });
  const own = events.filter((event) => lastTurn && event.turn === lastTurn.id);
  const messages = own.filter((event): event is Envelope<"message.done"> => event.type === "message.done");
  const top = messages.filter(({ data }) => data.parent === undefined);
  const last = top.findLast(({ data }) => data.phase !== "commentary") ?? top.at(-1);
  const diff = events.findLast((event): event is Envelope<"diff.updated"> => event.type === "diff.updated");
  const exact = diff && diff.data.turn === lastTurn?.id ? diff.data.files : undefined;
  const reported = own.flatMap((event) => (event.type === "tool.ended" ? (event.data.changes ?? []) : []));
  return { answer: last?.data.text, files: exact ?? reported };
}

function waitedText(waited: z.input<typeof Waited>, session: Session): string {
  const { state, answer, error, hold, files } = waited;
  const lines = [`${sessionLine(session)}`, `State: ${state}.`];
  if (error) lines.push(`Error: ${error}`);
  if (hold) lines.push(`Held: ${hold}`);
  lines.push(...inputLines(session.inputs));
  if (files.length > 0) lines.push("Files that the last turn changed:", ...fileLines(waited));
  if (answer) lines.push("", "Its last message:", answer);
  if (state === "running") lines.push("It still works. Call wait_for_session again to continue waiting.");
  return lines.join("\n");
}
