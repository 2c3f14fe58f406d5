import { defineAgent } from "../contract.ts";
import { json, rpc } from "./channels.ts";
import { INSTALL, probe } from "./probe.ts";

/** Pi, driven through its RPC mode. */
export const pi = defineAgent({
  id: "pi",
  name: "Pi",
  find: { bin: ["pi"], env: "GANTRY_PI_BIN" },
  install: { npm: "@earendil-works/pi-coding-agent", command: INSTALL },
  login: ["pi", "/login"],
  channels: [rpc, json],
  channelOf: () => "rpc",
  modes: {
    plan: "has only the tools that read",
    ask: "asks before everything but reading, through an extension that Gantry gives it",
    "auto-edit": "writes freely in its folder and asks before commands",
    "full-auto": "has all its tools and asks nothing but what its extensions ask",
    inherit: "as its own configuration says",
  },
  steer: "inline",
  resume: "id",
  fork: true,
  edits: true,
  fallbackModels: [],
  provider: "pi",
  probe,
});
