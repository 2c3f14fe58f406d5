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
  // It hands its model, and whoever listens, the last 50 kB of what a command prints.
  outputLimit: 48_000,
  compactPrompt: "/compact",
  awaitsSubagents: true,
  forget: (home) => rmSync(join(home, ".pi", "agent", "sessions"), { recursive: true }),
  cannot: {
    "mcp-server": "Pi knows no MCP servers, by its maker's choice.",
    question: "Pi's model has no tool with which it could ask its user.",
    "todo-list": "Pi has no list of steps, by its maker's choice.",
    subagent: "Pi has no subagents.",
  },
  // Its plans are answers like any other: a person goes on by changing the mode.
  leavesOut: ["plan-approval"],
};

export const piTargets: readonly Target[] = [{ ...pi, version: "0.87.1", name: "Pi 0.87.1" }];
