import { type Channel, defineChannel, type Frame, type Launch, type LaunchOptions, type Step } from "../contract.ts";
import { type Fields, fields, parseFields } from "../fields.ts";
import { initialTalk, Pass, type Talk } from "./talk.ts";
import { begin, complained, plainLine, processEnded } from "./turns.ts";

/** A program that gets its prompt on stdin, prints JSON lines about one turn, and ends. */
export type Print<State extends Talk> = {
  name: string;
  takes?: Channel["takes"];
  /** As in `Channel`; the prompt is never among the arguments. */
  launch(options: LaunchOptions): Launch;
  /** What the state holds besides a talk's. */
  initial?(options: LaunchOptions): Omit<State, keyof Talk>;
  /** A line that it printed. */
  line(pass: Pass<State>, line: Fields, frame: unknown): void;
  /** A line of stderr that means more than a complaint. */
  error?(pass: Pass<State>, line: string): void;
  /** A line that was written to it; only recordings of both directions have such. */
  inbound?(pass: Pass<State>, line: Fields): void;
  /** The one JSON document that it prints over many lines when it is not asked for JSON lines. */
  document?(pass: Pass<State>, document: Fields): void;
  /** The end of the process, when the turn is not over; the default takes it for a crash. */
  ended?(pass: Pass<State>, code: number | null, signal: string | null): void;
  /** Is a parsed line of a recording one of these? */
  isOurs(line: Fields): boolean;
};

/** The channel of such a program: one process a turn, no steering, no inputs. */
export function printChannel<State extends Talk>(print: Print<State>): Channel<never> {
  return defineChannel<State>({
    name: print.name,
    perTurn: true,
    ...(print.takes ? { takes: print.takes } : {}),
    launch: (options) => print.launch(options),
    initial: (options) => ({ ...initialTalk(options), ...print.initial?.(options) }) as State,
    open: () => [],
    decode: (state, frame) => decode(print, state, frame),
    encode: () => undefined,
    recognises: (lines) => recognises(lines, print.isOurs),
  });
}

/** Lines of the channel's own, or nothing but plain text, as a program prints that fails or was not asked for JSON. */
export function recognises(lines: readonly unknown[], isOurs: (line: Fields) => boolean): boolean {
  const parsedLines = lines.filter((line) => typeof line === "object" && line !== null);
  if (parsedLines.length === 0) return lines.some((line) => typeof line === "string");
  return parsedLines.flatMap((line) => (Array.isArray(line) ? line : [line])).some((line) => isOurs(fields(line)));
}

function decode<State extends Talk>(print: Print<State>, state: State, frame: Frame): Step<State> {
  const pass = new Pass(state, print.name);
  if (frame.dir === "err") complained(pass, frame.text);
  if (frame.dir === "err") print.error?.(pass, frame.text);
  if (frame.dir === "end") ended(print, pass, frame);
  if (frame.dir === "in") print.inbound?.(pass, fields(frame.msg));
  if (frame.dir === "out") printed(print, pass, frame);
  return pass.step();
}

function printed<State extends Talk>(
  print: Print<State>,
  pass: Pass<State>,
  frame: Extract<Frame, { dir: "out" }>,
): void {
  if ("text" in frame) return plainLine(pass, frame.text);
  if ("oversize" in frame) return pass.raw({ oversize: frame.oversize, head: frame.head }, "line too long");
  pass.state.framed = true;
  const lines = Array.isArray(frame.msg) ? frame.msg : [frame.msg];
  for (const line of lines) print.line(pass, fields(line), line);
}

function ended<State extends Talk>(
  print: Print<State>,
  pass: Pass<State>,
  frame: Extract<Frame, { dir: "end" }>,
): void {
  const { state } = pass;
  const document = parseFields(state.plain);
  if (print.document && Object.keys(document).length > 0) {
    state.plain = undefined;
    begin(pass);
    print.document(pass, document);
  }
  if (state.turn !== "over" && !state.lost && state.plain === undefined && print.ended) {
    print.ended(pass, frame.code, frame.signal);
  }
  processEnded(pass, frame.code, frame.signal);
}
