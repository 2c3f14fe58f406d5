import { run } from "@stricli/core";
import type { Context } from "../../program/context.ts";

/** `gantry help run` is `gantry run --help`. */
export default async function help(this: Context, _flags: Record<never, never>, ...words: string[]): Promise<void> {
  await run(this.application, [...words, "--help"], this);
}
