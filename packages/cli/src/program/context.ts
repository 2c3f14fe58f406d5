import type { Application, CommandContext, StricliProcess } from "@stricli/core";
import type { Output } from "./output.ts";

/** `this` of every command. */
export type Context = CommandContext & {
  readonly process: StricliProcess;
  readonly env: Record<string, string | undefined>;
  /** The Gantry home folder. */
  readonly home: string;
  readonly version: string;
  readonly output: Output;
  /** The command line itself, for `help` and completion. */
  readonly application: Application<Context>;
};
