import { acp } from "../acp/acp.ts";
import { acpProbe } from "../acp/probe.ts";
import { type Agent, defineAgent } from "../contract.ts";
import { cursorControls } from "./controls.ts";
import { dialect } from "./dialect.ts";
import { print } from "./print/channel.ts";
import { sdk } from "./sdk/channel.ts";
import { probe } from "./sdk/probe.ts";
import { workerCommand } from "./sdk/worker-command.ts";

const install = "curl https://cursor.com/install -fsS | bash";
const PACKAGE = "@cursor/sdk";
const NO_APPROVAL = "Cursor's SDK cannot ask for approval: it runs every action or fails it.";

const facts = {
  id: "cursor",
  name: "Cursor",
  commandFiles: {
    root: { path: ".cursor" },
    folders: [
      { kind: "command", user: "commands", project: ".cursor/commands" },
      { kind: "skill", user: "skills", project: ".cursor/skills" },
    ],
  },
  steer: "queue",
  fork: false,
  edits: false,
  fallbackModels: [],
  provider: "cursor",
} as const;

const projectCode = { paths: [".cursor"], text: [".cursor/rules", ".cursor/plans"] } as const;

/** Cursor through `@cursor/sdk`, which a worker process hosts. */
const throughSdk: Agent = defineAgent({
  ...facts,
  can: ["images"],
  find: { bin: [], env: "GANTRY_CURSOR_SDK", package: { name: PACKAGE, command: workerCommand } },
  versions: { oldest: "1.0.32", newest: "1.0.32" },
  install: { npm: PACKAGE, command: `npm install -g ${PACKAGE}` },
  login: [PACKAGE, "login"],
  channels: [sdk, acp(dialect), print],
  channelOf: () => sdk.name,
  modes: {
    plan: "plans and reads; its process cannot write to the folder or run commands",
    "full-auto": "does everything without asking",
    inherit: "does everything without asking, within Cursor's own sandbox settings",
  },
  projectCode: { ...projectCode, memory: ["AGENTS.md"] },
  lacks: { ask: NO_APPROVAL, "auto-edit": NO_APPROVAL },
  resume: "id",
  probe,
});

/** Cursor's command line over ACP; where it is not installed, Cursor's SDK. */
export const cursor = defineAgent({
  ...facts,
  can: ["images", "questions"],
  withoutFolders: "Cursor has no option for further folders.",
  find: { bin: ["cursor-agent"], env: "GANTRY_CURSOR_BIN" },
  versions: { oldest: "2026.10.22", newest: "2026.10.22" },
  install: { command: install },
  login: ["cursor-agent", "login"],
  channels: [acp(dialect), print, sdk],
  otherwise: throughSdk,
  modes: {
    plan: "plans and reads, changes nothing",
    ask: "asks for what its own configuration does not allow",
    "full-auto": "does what its own configuration does not deny, without asking",
    inherit: "as configured in the agent",
  },
  controls: cursorControls,
  unenforced: {
    plan: "It is not known whether what the permissions in Cursor's cli-config.json allow also runs in plan mode.",
    ask: "Cursor does not ask for what the permissions in its cli-config.json allow.",
  },
  projectCode,
  resume: "load",
  probe: acpProbe({
    name: "Cursor",
    install,
    dialect,
    depth: "session",
    opensForUsersOnly: true,
    fallback: { argument: "acp", channel: print.name, means: "its print mode: no approvals, one process per turn" },
  }),
});
