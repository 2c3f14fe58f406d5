import { createRequire } from "node:module";
import { GantryError } from "@gantry/protocol";

export type PtyRequest = {
  command: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  cols: number;
  rows: number;
};

/** A program in a dedicated terminal. It leads the session and process group of the terminal. */
export type Pty = {
  readonly pid: number;
  write(text: string): void;
  resize(cols: number, rows: number): void;
  onData(listener: (bytes: Buffer) => void): void;
  /** Called once, after all output. */
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void;
};

type Library = typeof import("@lydell/node-pty");

/** Loaded with the first terminal: it is native code that most daemons never need. */
let library: Library | undefined;

/** Starts a program in a terminal. Throws `GantryError` (`unavailable`) where this machine cannot have one. */
export function openPty({ command, cwd, env, cols, rows }: PtyRequest): Pty {
  const [program = "", ...args] = command;
  try {
    library ??= createRequire(import.meta.url)("@lydell/node-pty") as Library;
    const pty = library.spawn(program, args, { name: "xterm-256color", cols, rows, cwd, env, encoding: null });
    return {
      pid: pty.pid,
      write: (text) => pty.write(text),
      resize: (columns, lines) => pty.resize(columns, lines),
      // Without an encoding it emits bytes, although its types declare strings.
      onData: (listener) => void pty.onData((bytes) => listener(bytes as unknown as Buffer)),
      onExit: (listener) => void pty.onExit(listener),
    };
  } catch (error) {
    throw new GantryError("unavailable", `A terminal could not be opened: ${(error as Error).message}`, {
      remedy: `Run it in your terminal: ${command.join(" ")}`,
    });
  }
}
