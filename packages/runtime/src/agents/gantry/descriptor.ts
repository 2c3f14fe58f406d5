import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { defineAgent } from "../contract.ts";
import { rpc } from "./channel.ts";
import { probe } from "./probe.ts";

/** Gantry's agent: this program in another process. */
export const gantry = defineAgent({
  id: "gantry",
  name: "Gantry",
  find: { bin: [], env: "GANTRY_GANTRY_BIN" },
  install: { command: "It comes with Gantry.", byHand: true },
  get login() {
    return [process.execPath, program(), "auth", "login"];
  },
  get env() {
    return gantryVariables("GANTRY_HOME", "GANTRY_AGENT_DIR", "GANTRY_AUTH_BROKER_URL", "GANTRY_AUTH_BROKER_TOKEN");
  },
  channels: [rpc],
  modes: {
    plan: "reads and proposes, changes nothing",
    ask: "asks before it changes a file or runs a command",
    "auto-edit": "writes freely in its folder and asks before commands",
    "full-auto": "asks only before what reaches out of its folder or cannot be undone",
    inherit: "as configured in the agent",
  },
  steer: "inline",
  resume: "id",
  fork: true,
  tasks: "stop",
  edits: true,
  can: ["images", "questions", "compaction", "commands"],
  fallbackModels: [],
  usesRegistry: true,
  get commandFiles() {
    return {
      root: { folder: agentFolder(), path: ".gantry/agent" },
      folders: [
        { kind: "command" as const, user: "commands", project: ".gantry/commands" },
        { kind: "command" as const, user: "prompts", project: ".gantry/prompts" },
        { kind: "command" as const, project: ".claude/commands" },
        { kind: "skill" as const, user: "skills", project: ".gantry/skills", prefix: "skill:" },
      ],
    };
  },
  provider: "gantry",
  providerInModel: true,
  get builtin() {
    return { command: [process.execPath, ...FAST_START, program(), "agent"] };
  },
  probe,
});

/** A young generation that holds all of a start, so that it needs no garbage collection: docs/internals/performance.md. */
const FAST_START = ["--min-semi-space-size=16"];

/** Gantry variables that are withheld from other agents. */
function gantryVariables(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** As in @gantry/models, which the start of the daemon must not load. */
function agentFolder({ GANTRY_AGENT_DIR, GANTRY_HOME, HOME } = process.env): string {
  return GANTRY_AGENT_DIR || join(GANTRY_HOME || join(HOME || homedir(), ".gantry"), "agent");
}

/** The command line entry: next to this file in the bundle, or its source. */
function program(): string {
  const bundled = join(import.meta.dirname, "main.js");
  return existsSync(bundled) ? bundled : join(import.meta.dirname, "../../../../cli/src/main.ts");
}
