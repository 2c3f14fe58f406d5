import type { LaunchOptions } from "../contract.ts";
import { inbound, isMessageStream } from "../json-lines/message-stream/decode.ts";
import { emptyMessages, type MessageState } from "../json-lines/message-stream/state.ts";
import { printChannel } from "../json-lines/print-channel.ts";
import { ampLine } from "./lines.ts";

/**
 * `amp --execute --stream-json` with the prompt on stdin: one process per turn, one thread per conversation. Amp never
 * asks in this mode: it rejects what its settings do not allow, unless everything is allowed.
 */
export const streamJson = printChannel<MessageState>({
  name: "stream-json",
  takes: { folders: "named" },
  launch: (options) => ({ args: argumentsFor(options) }),
  initial: emptyMessages,
  line: ampLine,
  inbound,
  isOurs: isMessageStream,
});

/** Amp has modes in place of models: `low`, `medium`, `high`, `ultra`, and those of plugins. */
function argumentsFor({ model, mode, resume }: LaunchOptions): string[] {
  return [
    ...(resume ? ["threads", "continue", resume] : []),
    ...["--execute", "--stream-json-thinking"],
    ...(mode === "full-auto" ? ["--dangerously-allow-all"] : []),
    ...(model ? ["--mode", model] : []),
  ];
}
