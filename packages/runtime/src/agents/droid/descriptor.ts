import { acp } from "../acp/acp.ts";
import { defineAgent } from "../contract.ts";
import { knownSince } from "../finding/fallback.ts";
import { dialect } from "./dialect.ts";
import { exec } from "./exec/channel.ts";
import { streamJsonRpc } from "./exec/rpc/channel.ts";
import { INSTALL, probe } from "./probe.ts";

/**
 * Factory's Droid over its own JSON-RPC, the interface of Factory's SDK. Its ACP does less and does it worse: no message
 * into a running turn (a second prompt leaves the first one without an end), no questions, no copies of a session, no
 * retries told, nothing without a login; and a title is asked of the model for every session. ACP is kept for
 * recordings and for the question whether somebody is logged in.
 */
export const droid = defineAgent({
  id: "droid",
  name: "Droid",
  find: { bin: ["droid"], env: "GANTRY_DROID_BIN" },
  install: { npm: "droid", command: INSTALL },
  login: ["droid"],
  env: dialect.env,
  channels: [streamJsonRpc, exec, acp(dialect)],
  channelOf: knownSince("0.225.2", streamJsonRpc.name),
  modes: {
    plan: "writes a specification, changes nothing",
    ask: "asks before everything that is not reading",
    "auto-edit": "edits and low-risk commands without asking",
    "full-auto": "never asks",
    inherit: "as its own configuration says",
  },
  steer: "inline",
  resume: "id",
  fork: true,
  edits: false,
  fallbackModels: [],
  provider: "factory",
  probe,
});
