import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineAgent } from "../contract.ts";
import { piProbe } from "../json-lines/pi-rpc/probe.ts";
import { rpc } from "./channel.ts";

/** Gantry's own agent: this program, in another process. */
export const gantry = defineAgent({
  id: "gantry",
  name: "Gantry",
  find: { bin: [], env: "GANTRY_GANTRY_BIN" },
  install: { command: "It comes with Gantry.", byHand: true },
  login: ["gantry", "auth", "login"],
  channels: [rpc],
  modes: {
    plan: "reads and proposes, changes nothing",
    ask: "asks before it changes a file or runs a command",
    "auto-edit": "writes freely in its folder and asks before commands",
    "full-auto": "asks only before what reaches out of its folder or cannot be undone",
    inherit: "as its own configuration says",
  },
  steer: "inline",
  resume: "id",
  fork: true,
  edits: true,
  fallbackModels: [],
  provider: "gantry",
  providerInModel: true,
  get builtin() {
    return { command: [process.execPath, program(), "agent"] };
  },
  probe: piProbe({
    name: "Gantry's agent",
    install: "npm install (in the folder of Gantry)",
    login: "Run `gantry auth login <provider>`, set a provider's API key, or name a provider in models.yml.",
  }),
});

/** The command line that this is a part of: beside it in the bundle, or its source. */
function program(): string {
  const bundled = join(import.meta.dirname, "main.js");
  return existsSync(bundled) ? bundled : join(import.meta.dirname, "../../../../cli/src/main.ts");
}
