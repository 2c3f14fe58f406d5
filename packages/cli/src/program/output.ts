import {
  detectTheme,
  liveSurface,
  makeTheme,
  type Paint,
  type PromptStreams,
  plainSurface,
  type Surface,
  type Theme,
  wantsColour,
} from "@gantry/terminal";

/** Output of a command: results on stdout, notes and errors on stderr. */
export type Output = {
  readonly json: boolean;
  /** True if stdin and stdout are a terminal, so that the user can be asked. */
  readonly interactive: boolean;
  /** Styles for stdout and for stderr. */
  readonly paint: Theme;
  readonly notePaint: Paint;
  /** Columns of the terminal; `undefined` in a pipe, where nothing is cut. */
  readonly width: (() => number) | undefined;
  /** Rows of the terminal. */
  readonly rows: () => number;
  readonly streams: PromptStreams;
  /** Lines for people, on stdout. */
  print(lines: string | readonly string[]): void;
  /** One JSON value on one line, on stdout. */
  data(value: unknown): void;
  /** A remark on stderr. */
  note(text: string): void;
  /** Where a transcript goes: live on a terminal, plain in a pipe. */
  surface(): Surface;
};

/** The streams and the environment of a process; tests bring their own. */
export type Terminal = {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Record<string, string | undefined>;
};

export function makeOutput(terminal: Terminal, options: { json: boolean; noColor: boolean }): Output {
  // Node opens stdin when it is first read, and most commands never read it.
  const { stdout, stderr, env } = terminal;
  const { json, noColor } = options;
  const onTerminal = stdout.isTTY === true && env.TERM !== "dumb";
  const columns = () => stdout.columns || 80;
  const colourOf = (stream: NodeJS.WriteStream) =>
    makeTheme(detectTheme(env, wantsColour({ isTTY: stream.isTTY, env, noColor })));
  return {
    json,
    interactive: !json && onTerminal && terminal.stdin.isTTY === true,
    paint: colourOf(stdout),
    notePaint: colourOf(stderr),
    width: stdout.isTTY ? columns : undefined,
    rows: () => stdout.rows || 24,
    streams: {
      get input() {
        return terminal.stdin;
      },
      output: stdout,
    },
    print: (lines) => {
      stdout.write(typeof lines === "string" ? `${lines}\n` : lines.map((line) => `${line}\n`).join(""));
    },
    data: (value) => {
      stdout.write(`${JSON.stringify(value)}\n`);
    },
    note: (text) => {
      stderr.write(`${text}\n`);
    },
    surface: () => (onTerminal ? liveSurface(stdout) : plainSurface(stdout)),
  };
}
