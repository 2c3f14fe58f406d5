import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type ControlSet, type ControlValues, type Mode, permitControls } from "@gantry/protocol";
import { type Channel, defineAgent, defineChannel, type Probe, type ProbeTools } from "../contract.ts";
import { CHANNEL, decode, type ScriptedState, START } from "./decode.ts";
import { encode } from "./encode.ts";
import { PongFrame, ReadyFrame } from "./frames.ts";

const PROGRAM = "@gantry/scripted/program";

/** JSON lines over stdin and stdout, defined in `frames.ts`. */
export const scriptedChannel: Channel<ScriptedState> = {
  name: CHANNEL,
  takes: { folders: "named" },
  launch: () => ({ args: [] }),
  initial: ({ resume, fork, cwd, mode, model, controls }) => ({
    start: { resume: resume ?? null, fork: fork ?? false, cwd, mode, model, ...pickPermitted(mode, controls) },
  }),
  open: ({ start }) => [{ msg: { type: "start", ...start }, key: START, repeat: "ask" }],
  decode,
  encode,
  recognises: (lines) => lines.some((line) => ReadyFrame.safeParse(line).success),
};

/** One control that changes in the running process, and one about permissions that needs another. */
const controls: ControlSet = {
  items: [
    {
      id: "fast",
      label: "Fast",
      choices: [
        { id: "on", label: "On", description: "prints without pauses" },
        { id: "off", label: "Off" },
      ],
      default: "off",
      live: true,
      maps: "the pause between two pieces of a text",
    },
    {
      id: "reach",
      label: "Reach",
      choices: [
        { id: "folder", label: "Folder", description: "stays in its folder" },
        { id: "machine", label: "Machine", description: "may leave its folder" },
      ],
      byMode: { plan: "folder", ask: "folder", "auto-edit": "folder", "full-auto": "machine" },
      live: false,
      maps: "the start of the program",
    },
  ],
  rules: [{ when: { reach: ["folder"] }, needs: "plan" }],
};

function pickPermitted(mode: Mode, requested: ControlValues | undefined): { controls?: ControlValues } {
  return requested ? { controls: permitControls(controls, mode, requested).values } : {};
}

/** The built-in agent for demonstrations, tests and benchmarks: plays scripts and calls no model. */
export const scripted = defineAgent({
  id: "scripted",
  name: "Scripted agent",
  find: { bin: [], env: "GANTRY_SCRIPTED_BIN" },
  install: { command: "npm install (in the folder of Gantry)", byHand: true },
  login: [],
  channels: [defineChannel(scriptedChannel)],
  modes: {
    plan: "Reads and proposes, changes nothing",
    ask: "Asks before it changes a file or runs a command",
    "auto-edit": "Changes files without asking, asks before it runs a command",
    "full-auto": "Asks nothing",
  },
  controls,
  steer: "inline",
  resume: "id",
  fork: true,
  edits: true,
  can: ["questions", "compaction", "commands"],
  tasks: "stop",
  demo: true,
  fallbackModels: [
    { id: "scripted-1", name: "Scripted 1", default: true, efforts: [] },
    { id: "scripted-mini", name: "Scripted Mini", default: false, efforts: [] },
  ],
  provider: "scripted",
  get builtin() {
    return program();
  },
  probe,
});

/** Next to this file in the bundle, or the package. Without both, the agent is reported as not installed. */
function program(): { command: string[] } | undefined {
  const bundled = join(import.meta.dirname, "scripted-agent.mjs");
  if (existsSync(bundled)) return { command: [process.execPath, bundled] };
  try {
    const path = createRequire(import.meta.url).resolve(PROGRAM);
    return { command: [process.execPath, path] };
  } catch {
    return undefined;
  }
}

/** Probes without opening a conversation, which the agent would store. */
async function probe(tools: ProbeTools): Promise<Probe> {
  const isPong = (line: unknown) => PongFrame.safeParse(line).data?.id === "probe";
  const [{ stdout }, { lines }] = await Promise.all([
    tools.run(["--version"], { timeoutMs: 10_000 }),
    tools.converse([], [{ type: "ping", id: "probe" }], (all) => all.some(isPong), { timeoutMs: 10_000 }),
  ]);
  const auth = { state: "ok", how: "it needs no account" } as const;
  const version = /\d[\w.-]*/.exec(stdout)?.[0];
  if (lines.some(isPong)) return { ok: true, auth, version, problems: [] };
  const message = "The scripted agent does not respond.";
  const fix = `Run ${tools.bin} --version in a terminal to see its output.`;
  return { ok: false, auth, version, problems: [{ code: "no_answer", message, fix }] };
}
