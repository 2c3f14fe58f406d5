import { acp } from "../acp/acp.ts";
import { defineAgent } from "../contract.ts";
import { knownSince } from "../finding/fallback.ts";
import { dialect } from "./dialect.ts";
import { exec } from "./exec/channel.ts";
import { streamJsonRpc } from "./exec/rpc/channel.ts";
import { INSTALL, probe } from "./probe.ts";

/**
 * Factory's Droid over its own JSON-RPC, the interface of Factory's SDK. Its ACP does less: answers come whole and not in
 * pieces, tokens and retries are not told, the model cannot ask its user, sessions cannot be copied, a second prompt
 * leaves the first one without an end, and nothing works without a login. ACP is kept for recordings and for the
 * question whether somebody is logged in.
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
