import type { Word } from "./shell-lexer.ts";

/** The options of a program that runs another one: letters and long names, with and without a value. */
type Options = { flags?: string; values?: string; long?: readonly string[]; longValues?: readonly string[] };

const OPTIONS: Record<string, Options> = {
  env: {
    flags: "i0v",
    values: "uC",
    long: ["ignore-environment", "null", "debug"],
    longValues: ["unset", "chdir"],
  },
  command: { flags: "pvV" },
  builtin: {},
  nohup: {},
  nice: { flags: "0123456789", values: "n", longValues: ["adjustment"] },
  time: { flags: "pv", values: "f", long: ["portability", "verbose"], longValues: ["format"] },
  timeout: {
    flags: "v",
    values: "ks",
    long: ["preserve-status", "foreground", "verbose"],
    longValues: ["kill-after", "signal"],
  },
  stdbuf: { values: "ioe", longValues: ["input", "output", "error"] },
  setsid: { flags: "cfw", long: ["ctty", "fork", "wait"] },
  ionice: { flags: "t", values: "cn", long: ["ignore"], longValues: ["class", "classdata"] },
  caffeinate: { flags: "dimsu", values: "t" },
  watch: { flags: "bcegtwx", values: "n" },
  xargs: {
    flags: "0rtx",
    values: "IEdLnPsa",
    long: ["null", "no-run-if-empty", "verbose", "exit"],
    longValues: ["max-args", "max-procs", "max-chars", "delimiter", "arg-file"],
  },
};

/**
 * Reads the options before the first operand; everything from there on belongs to the inner program. `known` is
 * false if there is an unlisted option: then it is a guess where the operands begin.
 */
export function readOptions(program: string, args: readonly Word[]): { at: number; known: boolean } {
  const { flags = "", values = "", long = [], longValues = [] } = OPTIONS[program] ?? {};
  let known = true;
  for (let at = 0; at < args.length; at++) {
    const { text } = args[at]!;
    if (text === "--") return { at: at + 1, known };
    if (!text.startsWith("-") || text === "-") return { at, known };
    if (text.startsWith("--")) {
      const [name = "", value] = text.slice(2).split("=", 2);
      if (longValues.includes(name)) at += value === undefined ? 1 : 0;
      else if (!long.includes(name)) known = false;
      continue;
    }
    const letters = text.slice(1);
    const first = [...letters].findIndex((letter) => !flags.includes(letter));
    if (first < 0) continue;
    if (!values.includes(letters[first]!)) known = false;
    else if (first === letters.length - 1) at++;
  }
  return { at: args.length, known };
}

/** Whether the program takes this operand itself, before the command that it runs. */
export function takesOperand(program: string, text: string): boolean {
  if (program === "timeout") return /^[\d.]+[smhd]?$/.test(text);
  if (program === "chrt") return /^\d+$/.test(text);
  return program === "flock" || program === "chroot" ? text.includes("/") || /^\d+$/.test(text) : false;
}
