import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";
import { dialect } from "./dialect.ts";
import { print } from "./print/channel.ts";

const install = "curl https://cursor.com/install -fsS | bash";

/** Cursor's command line over ACP. */
export const cursor = defineAgent({
  id: "cursor",
  name: "Cursor",
  find: { bin: ["cursor-agent"], env: "GANTRY_CURSOR_BIN" },
  versions: { oldest: "2026.10.22", newest: "2026.10.22" },
  install: { command: install },
  login: ["cursor-agent", "login"],
  channels: [acp(dialect), print],
  modes: {
    plan: "plans and reads, changes nothing",
    ask: "asks for what its own configuration does not allow",
    "full-auto": "does what its own configuration does not deny, without asking",
    inherit: "as configured in the agent",
  },
  unenforced: {
    plan: "It is not known whether what the permissions in Cursor's cli-config.json allow also runs in plan mode.",
    ask: "Cursor does not ask for what the permissions in its cli-config.json allow.",
  },
  projectCode: { paths: [".cursor"], text: [".cursor/rules", ".cursor/plans"] },
  steer: "queue",
  resume: "load",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "cursor",
  probe: acpProbe({
    name: "Cursor",
    install,
    dialect,
    depth: "session",
    opensForUsersOnly: true,
    fallback: { argument: "acp", channel: print.name, means: "its print mode: no approvals, one process per turn" },
  }),
});
