import { run } from "@stricli/core";
import { application } from "../application.ts";
import type { Context } from "../context.ts";

/** `gantry help run` is `gantry run --help`. */
export default async function help(this: Context, _flags: Record<never, never>, ...words: string[]): Promise<void> {
  await run(application(this), [...words, "--help"], this);
}
