import type { Faults } from "./faults.ts";
import type { FrameOutput } from "./output.ts";
import type { Step } from "./script/step.ts";

/** The services that the process offers to its dialect. */
export interface Host {
  /** The arguments for the vendor's program. */
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  faults: Faults;
  /** Milliseconds between the chunks of a message. */
  pace: number;
  /** The steps that answer a prompt. */
  stepsFor(prompt: string, cwd: string): Step[];
  output: FrameOutput;
  stderr(text: string): void;
  /** Stops reading and closes the input. */
  closeInput(): void;
  /** Exits the process after all output is flushed. Never resolves. */
  exit(code: number): Promise<never>;
  /** Kills the process with SIGSEGV after all output is flushed. Never resolves. */
  crash(): Promise<never>;
}

/** The receiving side of a running dialect. */
export interface Receiver {
  line(line: string): void;
  /** The input has ended. */
  end(): void;
}

/** A protocol that a fake agent can speak. */
export interface Dialect {
  /** The output for arguments that start no conversation (`--version`), or `null`. */
  oneShot(argv: readonly string[], faults: Faults): { stdout: string; stderr?: string; code: number } | null;
  start(host: Host): Receiver;
}

/** The value after a flag: `--flag value` or `--flag=value`. */
export function flagValue(argv: readonly string[], flag: string): string | undefined {
  const at = argv.indexOf(flag);
  if (at >= 0) return argv[at + 1];
  return argv.find((argument) => argument.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
