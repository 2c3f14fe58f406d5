import { defineAgent } from "../contract.ts";
import { plainChannel, promptArgument } from "./channel.ts";

/**
 * The base for any program that reads a prompt and prints its answer as text. It has no program: a local profile supplies
 * one. It cannot be probed, because only the program's author knows which arguments have no effects.
 */
export const plain = defineAgent({
  id: "plain",
  name: "Any program that prints text",
  find: { bin: [], env: "GANTRY_PLAIN_BIN" },
  install: { command: "write a profile with the command that starts it", byHand: true },
  login: [],
  channels: [plainChannel()],
  argumentChannels: [plainChannel(promptArgument)],
  modes: { inherit: "as the program decides" },
  steer: "queue",
  resume: "none",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "plain",
  probe: async () => ({ auth: { state: "unknown", how: "the program is not asked" }, problems: [], ok: true }),
});
