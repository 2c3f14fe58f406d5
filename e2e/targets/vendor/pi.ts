import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

const pi: Omit<Target, "version" | "name"> = {
  agent: "pi",
  keyVariables: ["SCRIPTED_API_KEY"],
  otherModel: "scripted/scripted-mini",
  otherModelServed: "scripted-mini",
  questionMode: "ask",
  mainChannel: "rpc",
  // It passes on the last 50 kB of a command's output, to its model and to clients.
  outputLimit: 48_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  forget: (home) => rmSync(join(home, ".pi", "agent", "sessions"), { recursive: true }),
  // It has no permissions: its own configuration allows everything.
  configure: { permissive: () => undefined },
  projectCode: "ignored",
  cannot: {
    "take-back": "Pi cannot give back a message that was sent into a running turn.",
    "task-command": "Pi's shell tool waits for its command; it has no background work.",
    question: "Pi gives its model no tool to ask the user a question.",
    "todo-list": "Pi has no to-do list, by design.",
    subagent: "Pi has no subagents.",
  },
  // Its plans are ordinary answers: a person continues by changing the mode.
  leavesOut: ["plan-approval"],
};

const withoutServers = { ...pi.cannot, "mcp-server": "Pi supports MCP servers only since version 1." };

export const piTargets: readonly Target[] = [
  { ...pi, version: "1.5.0", name: "Pi 1.5.0" },
  { ...pi, version: "0.87.1", name: "Pi 0.87.1", cannot: withoutServers },
  // It has no option to ignore the extensions of a project.
  {
    ...pi,
    version: "0.75.1",
    name: "Pi 0.75.1",
    cannot: {
      ...withoutServers,
      retry: "The provider library of Pi 0.75 repeats a failed request, and Pi does not report it.",
    },
    // It does not report the tokens of a compaction.
    unbilled: ["compaction"],
    // Without the key's variable it sends the name of the variable as the key, which the scripted model accepts.
    leavesOut: ["plan-approval", "no-key"],
    oldest: true,
    projectCode: "refused",
  },
];
