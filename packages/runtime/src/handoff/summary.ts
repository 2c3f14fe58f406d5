import type { Config } from "../config.ts";
import type { TextHelper } from "../text-helper/port.ts";

const MAX_CHARS = 1500;

/** Summarises a brief with the text helper, if the settings enable it. `undefined` when its time limit passes. */
export function briefSummary(config: Config, textHelper: TextHelper) {
  return async (session: string, brief: string): Promise<string | undefined> => {
    if (!config.handoff.summary || !textHelper.available) return undefined;
    const signal = AbortSignal.timeout(config.scribe.seconds * 1000);
    const late = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    const prompt =
      "Summarise for a colleague taking over this work: the goal, the progress, the pitfalls. One paragraph " +
      `of at most ${MAX_CHARS} characters, with nothing that is not below.\n\n-----\n${brief}\n-----`;
    return Promise.race([late, textHelper.ask("brief", prompt, { session, maxChars: MAX_CHARS, signal })]);
  };
}
