import { failure } from "@gantry/protocol";
import {
  type Channel,
  defineChannel,
  type Frame,
  itemId,
  type LaunchOptions,
  type Output,
  type Step,
} from "../contract.ts";
import { compact } from "../fields.ts";
import { categoryOf } from "../json-lines/reading/failures.ts";

/** Everything that is remembered of a program that prints text; the text itself is in the log's hands. */
type State = { item: string; message?: string; begun: boolean; lines: number; stderr: string[] };

const NAME = "plain";
const KEPT_LINES = 5;
const KEPT_LINE = 300;

/**
 * The last resort: any program that reads a prompt from stdin and prints its answer. One process a turn, one message a
 * process, and the exit code is the outcome. `args` are those of the program itself; the prompt is never among them.
 */
export function plain(args: (options: LaunchOptions) => string[] = () => []): Channel<never> {
  return defineChannel<State>({
    name: NAME,
    blind: true,
    perTurn: true,
    launch: (options) => ({ args: args(options) }),
    initial: ({ uuid, prompt }) =>
      compact({
        item: itemId(`${uuid.slice(0, 8)}.answer`),
        message: prompt?.message,
        begun: false,
        lines: 0,
        stderr: [],
      }),
    open: () => [],
    decode,
    encode: () => undefined,
    recognises: (lines) => lines.some((line) => typeof line === "string") && !lines.some(isObject),
  });
}

function isObject(line: unknown): boolean {
  return typeof line === "object" && line !== null;
}

function decode(state: State, frame: Frame): Step<State> {
  switch (frame.dir) {
    case "in":
      return [state, []];
    case "err":
      return [{ ...state, stderr: [...state.stderr, frame.text.slice(0, KEPT_LINE)].slice(-KEPT_LINES) }, []];
    case "end":
      return ended(state, frame.code, frame.signal);
    case "out":
      return printed(state, frame);
  }
}

/** A line is a piece of the answer as it stands; the engine says when the answer is whole, which is at the end. */
function printed(state: State, frame: Extract<Frame, { dir: "out" }>): Step<State> {
  const line = "text" in frame ? frame.text : "oversize" in frame ? `${frame.head}…` : JSON.stringify(frame.msg);
  const piece = state.lines === 0 ? line : `\n${line}`;
  const delta: Output = { kind: "delta", item: state.item, channel: "text", text: piece };
  const [begun, outputs] = begin(state);
  return [{ ...begun, lines: state.lines + 1 }, [...outputs, delta]];
}

function begin(state: State): Step<State> {
  if (state.begun) return [state, []];
  const { message } = state;
  const begun: Output = { kind: "begin", ...(message ? { messages: [message] } : {}) };
  const taken: Output[] = message ? [{ kind: "taken", message, inline: false }] : [];
  return [{ ...state, begun: true }, [begun, ...taken]];
}

function ended(state: State, code: number | null, signal: string | null): Step<State> {
  const [begun, outputs] = begin(state);
  if (code === 0 && state.lines > 0) return [begun, [...outputs, { kind: "finish", outcome: "completed" }]];
  const said = state.stderr.join("\n").trim();
  const how = signal
    ? `was ended by ${signal}`
    : code === 0
      ? "printed nothing"
      : `exited with code ${code ?? "unknown"}`;
  const category = (signal ? undefined : categoryOf(said)) ?? (code === 0 ? "unknown" : "crashed");
  const error = failure(category, said ? `The program ${how}: ${said}` : `The program ${how}.`);
  return [begun, [...outputs, { kind: "finish", outcome: "failed", reason: "crashed", error }]];
}
