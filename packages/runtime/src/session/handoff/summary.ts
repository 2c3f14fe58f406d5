import type { Config } from "../../config.ts";
import type { TextHelper } from "../../text-helper/port.ts";

const MOST = 1500;

/**
 * Asks the scribe for a summary of a brief, where the settings want one. Gives `undefined` when there is none in the
 * scribe's own time, so that a handoff never waits for longer.
 */
export function briefSummary(config: Config, textHelper: TextHelper) {
  return async (session: string, brief: string): Promise<string | undefined> => {
    if (!config.handoff.summary || !textHelper.available) return undefined;
    const signal = AbortSignal.timeout(config.scribe.seconds * 1000);
    const late = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    const prompt =
      "Summarise for a colleague who takes this work over: what is wanted, how far it is, what to mind. One paragraph " +
      `of at most ${MOST} characters, nothing that is not below.\n\n-----\n${brief}\n-----`;
    return Promise.race([late, textHelper.ask("brief", prompt, { session, maxChars: MOST, signal })]);
  };
}
