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
  rungs: {},
  login: "qodercli login",
};

/** Qoder CLI over ACP. How it keeps a mode was not observed without its service, so it runs as configured. */
export const qoder = defineAgent({
  id: "qoder",
  name: "Qoder",
  find: { bin: ["qodercli", "qoder"], env: "GANTRY_QODER_BIN" },
  versions: { oldest: "1.1.52", newest: "1.1.52" },
  install: { npm: "@qoder-ai/qodercli", command: install },
  login: ["qodercli", "login"],
  channels: [acp(dialect)],
  modes: { inherit: "as configured in the agent" },
  projectCode: { paths: [".qoder", ".mcp.json"], text: [".qoder/rules"] },
  steer: "queue",
  resume: "id",
  fork: true,
  edits: false,
  fallbackModels: [],
  provider: "qoder",
  probe: acpProbe({ name: "Qoder", install, dialect, depth: "session", opensForUsersOnly: true }),
});
