import { pluralize } from "@gantry/terminal";

type Fate = { agents: "keep" | "release"; running: number; tasks: number };

/** The text for what happened to the agents. */
export function fateLine({ agents, running, tasks }: Fate): string {
  if (running === 0) return "stopped; no agents were running";
  const fate =
    agents === "keep"
      ? "left running: the next start finds them again"
      : "released; their sessions resume with the next message";
  const line = `stopped; ${pluralize(running, "agent")} ${fate}`;
  if (tasks === 0) return line;
  return `${line}; ${pluralize(tasks, "background task")} ${agents === "keep" ? "left running" : "ended with them"}`;
}
