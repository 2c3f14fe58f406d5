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

/** Decoder state of a program that prints text. The text itself is only in the log. */
type State = { item: string; message?: string; begun: boolean; lines: number; stderr: string[] };

const NAME = "plain";
const STDERR_LINES = 5;
const STDERR_LINE_LENGTH = 300;

/** The environment variable with the session's model, for programs that can choose one. */
const MODEL_VARIABLE = "GANTRY_MODEL";

/**
 * The arguments for a program that takes its prompt as the last one. Other users of the machine can read them. Text that
 * looks like an option gets a space in front.
 */
export function promptArgument({ prompt }: LaunchOptions): string[] {
  const text = prompt?.text ?? "";
  return [text.startsWith("-") ? ` ${text}` : text];
}

/**
 * The fallback channel: any program that reads a prompt from stdin and prints its answer. One process per turn, one
 * message per process; the exit code is the outcome. `args` are the program's arguments; only `promptArgument` includes
 * the prompt.
 */
export function plainChannel(args: (options: LaunchOptions) => string[] = () => []): Channel<never> {
  return defineChannel<State>({
    name: NAME,
    takes: { folders: "named" },
    blind: true,
    perTurn: true,
    launch: (options) => ({
      args: args(options),
      ...(options.model ? { env: { [MODEL_VARIABLE]: options.model } } : {}),
    }),
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
      return [
        { ...state, stderr: [...state.stderr, frame.text.slice(0, STDERR_LINE_LENGTH)].slice(-STDERR_LINES) },
        [],
      ];
    case "end":
      return decodeExit(state, frame.code, frame.signal);
    case "out":
      return decodeLine(state, frame);
  }
}

/** Each line is a chunk of the answer. The engine completes the message when the turn ends. */
function decodeLine(state: State, frame: Extract<Frame, { dir: "out" }>): Step<State> {
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

function decodeExit(state: State, code: number | null, signal: string | null): Step<State> {
  const [begun, outputs] = begin(state);
  if (code === 0 && state.lines > 0) return [begun, [...outputs, { kind: "finish", outcome: "completed" }]];
  const stderr = state.stderr.join("\n").trim();
  const how = signal
    ? `was killed by ${signal}`
    : code === 0
      ? "printed nothing"
      : `exited with code ${code ?? "unknown"}`;
  const category = (signal ? undefined : categoryOf(stderr)) ?? (code === 0 ? "unknown" : "crashed");
  const error = failure(category, stderr ? `The program ${how}: ${stderr}` : `The program ${how}.`);
  return [begun, [...outputs, { kind: "finish", outcome: "failed", reason: "crashed", error }]];
}
