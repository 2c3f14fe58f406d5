import { acp } from "../acp/acp.ts";
import type { Dialect } from "../acp/dialect.ts";
import { acpProbe } from "../acp/probe.ts";
import { defineAgent } from "../contract.ts";

const install = "npm install -g @qoder-ai/qodercli";

/** Qoder opens conversations only for users of its vendor's service. */
const dialect: Dialect = {
  agent: "qoder",
  version: 1,
  args: ["--acp"],
  // From its program; its plan mode is not offered over ACP.
  rungs: { ask: { mode: "default" }, "auto-edit": { mode: "acceptEdits" }, "full-auto": { mode: "yolo" } },
  login: "qodercli login",
};

const UNTESTED = "How Qoder keeps this mode against its own rules was not tested, because it needs an account.";

/** Qoder CLI over ACP. Its modes are those of its program; how it keeps them was not observed without its service. */
export const qoder = defineAgent({
  id: "qoder",
  name: "Qoder",
  find: { bin: ["qodercli", "qoder"], env: "GANTRY_QODER_BIN" },
  versions: { oldest: "1.1.52", newest: "1.1.52" },
  install: { npm: "@qoder-ai/qodercli", command: install },
  login: ["qodercli", "login"],
  channels: [acp(dialect)],
  modes: {
    ask: "asks before edits and commands",
    "auto-edit": "edits freely and asks before commands",
    "full-auto": "never asks",
    inherit: "as configured in the agent",
  },
  unenforced: { ask: UNTESTED, "auto-edit": UNTESTED },
  projectCode: { paths: [".qoder", ".mcp.json"], text: [".qoder/rules"] },
  steer: "queue",
  resume: "id",
  fork: true,
  edits: false,
  can: ["images"],
  fallbackModels: [],
  provider: "qoder",
  probe: acpProbe({ name: "Qoder", install, dialect, depth: "session", opensForUsersOnly: true }),
});
