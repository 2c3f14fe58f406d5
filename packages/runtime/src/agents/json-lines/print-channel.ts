import { type Channel, defineChannel, type Frame, type Launch, type LaunchOptions, type Step } from "../contract.ts";
import { type Fields, fields, parseFields } from "../fields.ts";
import { type DecoderState, initialDecoderState, Pass } from "./pass.ts";
import { beginTurn, handlePlainLine, handleProcessEnd, recordStderr } from "./turns.ts";

/** A program that reads a prompt from stdin, prints JSON lines about one turn, and exits. */
export type PrintProgram<State extends DecoderState> = {
  name: string;
  takes?: Channel["takes"];
  ignoresProject?: Channel["ignoresProject"];
  /** As in `Channel.launch`; never contains the prompt. */
  launch(options: LaunchOptions): Launch;
  /** The additional state fields. */
  initial?(options: LaunchOptions): Omit<State, keyof DecoderState>;
  /** Handles a printed line. */
  line(pass: Pass<State>, line: Fields, frame: unknown): void;
  /** Handles a stderr line beyond recording it. */
  error?(pass: Pass<State>, line: string): void;
  /** Handles a line written to it; only in two-way recordings. */
  inbound?(pass: Pass<State>, line: Fields): void;
  /** Handles the single JSON document printed when JSON lines are not enabled. */
  document?(pass: Pass<State>, document: Fields): void;
  /** Handles the exit of the process during a turn; a crash by default. */
  ended?(pass: Pass<State>, code: number | null, signal: string | null): void;
  /** Whether a parsed line of a recording belongs to this channel. */
  isOurs(line: Fields): boolean;
};

/** Its channel: one process per turn, no steering, no inputs. */
export function printChannel<State extends DecoderState>(print: PrintProgram<State>): Channel<never> {
  return defineChannel<State>({
    name: print.name,
    perTurn: true,
    ...(print.takes ? { takes: print.takes } : {}),
    ignoresProject: print.ignoresProject,
    launch: (options) => print.launch(options),
    initial: (options) => ({ ...initialDecoderState(options), ...print.initial?.(options) }) as State,
    open: () => [],
    decode: (state, frame) => decode(print, state, frame),
    encode: () => undefined,
    recognises: (lines) => recognises(lines, print.isOurs),
  });
}

/** True for lines of the channel, or for plain text only, as printed by a failing program. */
export function recognises(lines: readonly unknown[], isOurs: (line: Fields) => boolean): boolean {
  const parsedLines = lines.filter((line) => typeof line === "object" && line !== null);
  if (parsedLines.length === 0) return lines.some((line) => typeof line === "string");
  return parsedLines.flatMap((line) => (Array.isArray(line) ? line : [line])).some((line) => isOurs(fields(line)));
}

function decode<State extends DecoderState>(print: PrintProgram<State>, state: State, frame: Frame): Step<State> {
  const pass = new Pass(state, print.name);
  if (frame.dir === "err") recordStderr(pass, frame.text);
  if (frame.dir === "err") print.error?.(pass, frame.text);
  if (frame.dir === "end") handleExit(print, pass, frame);
  if (frame.dir === "in") print.inbound?.(pass, fields(frame.msg));
  if (frame.dir === "out") handleOutput(print, pass, frame);
  return pass.step();
}

function handleOutput<State extends DecoderState>(
  print: PrintProgram<State>,
  pass: Pass<State>,
  frame: Extract<Frame, { dir: "out" }>,
): void {
  if ("text" in frame) return handlePlainLine(pass, frame.text);
  if ("oversize" in frame) return pass.raw({ oversize: frame.oversize, head: frame.head }, "line too long");
  pass.state.framed = true;
  const lines = Array.isArray(frame.msg) ? frame.msg : [frame.msg];
  for (const line of lines) print.line(pass, fields(line), line);
}

function handleExit<State extends DecoderState>(
  print: PrintProgram<State>,
  pass: Pass<State>,
  frame: Extract<Frame, { dir: "end" }>,
): void {
  const { state } = pass;
  const document = parseFields(state.plain);
  if (print.document && Object.keys(document).length > 0) {
    state.plain = undefined;
    beginTurn(pass);
    print.document(pass, document);
  }
  if (state.turn !== "over" && !state.lost && state.plain === undefined && print.ended) {
    print.ended(pass, frame.code, frame.signal);
  }
  handleProcessEnd(pass, frame.code, frame.signal);
}
