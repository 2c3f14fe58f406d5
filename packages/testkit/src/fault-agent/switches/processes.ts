import { type StdioOptions, spawn } from "node:child_process";
import { closeSync, ftruncateSync } from "node:fs";
import type { FaultSwitches } from "../switch.ts";

/** Sleeps longer than any run. */
const ORPHAN_SECONDS = 98_765;

/** A child without the agent's environment. */
function startChild(detached: boolean, holdsOutput = false): void {
  const stdio: StdioOptions = holdsOutput ? ["ignore", "inherit", "inherit"] : "ignore";
  const args = ["-c", `trap '' TERM; exec sleep ${ORPHAN_SECONDS}`];
  spawn("/bin/sh", args, { detached, env: {}, stdio }).unref();
}

/** Processes: exits, signals, children, and the ends of the pipes. */
export const processSwitches: FaultSwitches = {
  "exit-at-start": {
    about: "exits before it reads anything",
    any: true,
    start: () => {
      process.stderr.write("Error: the license has expired\n");
      process.exit(3);
    },
  },
  "exit-init": { about: "exits instead of answering initialize", initialize: () => process.exit(4) },
  "exit-open": { about: "exits instead of opening the conversation", open: () => process.exit(5) },
  exit: {
    about: "exits in the middle of the turn",
    any: true,
    work: (_, code) => process.exit(Number(code || 6)),
  },
  "kill-self": {
    about: "dies by SIGKILL in the turn",
    any: true,
    work: () => void process.kill(process.pid, "SIGKILL"),
  },
  "stop-self": {
    about: "stops itself with SIGSTOP in the turn",
    any: true,
    work: () => void process.kill(process.pid, "SIGSTOP"),
  },
  "ignore-term": {
    about: "ignores SIGTERM and hangs",
    any: true,
    work: () => {
      process.on("SIGTERM", () => {});
      return hang();
    },
  },
  hang: { about: "prints nothing after the prompt", any: true, work: hang },
  spin: {
    about: "uses all of a core and hangs",
    any: true,
    work: () => {
      for (;;);
    },
  },
  "close-stdin": {
    about: "closes its stdin after the turn",
    prompt: (agent, id) => {
      agent.answer(id, { stopReason: "end_turn" });
      closeStdin();
      return true;
    },
  },
  "close-stdout": { about: "closes its stdout in the turn", any: true, work: () => closeSync(1) },
  "truncate-stdout": { about: "truncates its stdout, a regular file", any: true, work: () => ftruncateSync(1, 0) },
  "child-group": {
    about: "leaves a child without an environment in its group, and exits",
    any: true,
    work: () => leave(false),
  },
  "child-session": {
    about: "leaves a child in another session, without an environment",
    any: true,
    work: () => startChild(true),
  },
  "child-output": {
    about: "leaves a child that holds its stdout open",
    any: true,
    work: () => startChild(false, true),
  },
  "child-many": {
    about: "leaves forty children that ignore SIGTERM",
    any: true,
    work: () => {
      for (let index = 0; index < 40; index++) startChild(index % 2 === 0);
    },
  },
};

/** Never resolves, and keeps the process running when nothing else does. */
function hang(): Promise<void> {
  setInterval(() => {}, 60_000);
  return new Promise(() => {});
}

async function leave(detached: boolean): Promise<void> {
  startChild(detached);
  // The daemon has seen the child by then.
  await new Promise((resolve) => setTimeout(resolve, 100));
  process.exit(0);
}

/** Keeps the process running, which would otherwise end without its input. */
function closeStdin(): void {
  process.stdin.destroy();
  try {
    closeSync(0);
  } catch {
    // The stream has closed it.
  }
  setInterval(() => {}, 60_000);
}
