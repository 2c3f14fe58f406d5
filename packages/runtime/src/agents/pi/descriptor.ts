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
  modes: {
    plan: "has only the tools that read: Pi has no permissions, so a careful rung leaves tools out",
    "full-auto": "has all its tools and asks nothing but what its extensions ask",
    inherit: "as its own configuration says",
  },
  steer: "inline",
  resume: "id",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "pi",
  probe,
});
