import type { DecoderState } from "../../json-lines/pass.ts";
import { printChannel } from "../../json-lines/print-channel.ts";
import { endProcess, isOurs, line } from "./decode.ts";

/**
 * `kimi --print --output-format stream-json`, for reading recordings. Kimi takes the prompt of such a run only as an
 * argument, where every user of the machine could read it, so Gantry starts Kimi by its other channel: no prompt is
 * among the arguments here, and a process that were started with them would end with Kimi's own complaint.
 */
export const streamJson = printChannel<DecoderState>({
  name: "stream-json",
  launch: ({ model, resume }) => ({
    args: [...["--output-format", "stream-json"], ...(model ? ["-m", model] : []), ...(resume ? ["-S", resume] : [])],
    env: { KIMI_CODE_NO_AUTO_UPDATE: "1" },
  }),
  line,
  ended: endProcess,
  isOurs,
});
