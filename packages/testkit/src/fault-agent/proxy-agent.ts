import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { FaultyAgent } from "./switch.ts";
import type { ActiveSwitch } from "./switches.ts";

/**
 * Runs an agent of another protocol with faulty bytes and processes: its output passes through the switches, and their
 * work starts with the first prompt.
 */
export function runProxy(
  [program = "", ...args]: readonly string[],
  readSwitches: () => ActiveSwitch[],
  print: (bytes: string | Uint8Array) => void,
): void {
  const agent = { session: "", turn: 1, write: print } as unknown as FaultyAgent;
  for (const { fault, argument } of readSwitches()) fault.start?.(agent, argument);
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  // While a switch works, the agent's own output waits.
  let working = Promise.resolve();
  process.stdin.on("data", (chunk: Buffer) => {
    if (chunk.includes("[[text]]")) working = work(agent, readSwitches());
    child.stdin.write(chunk);
  });
  process.stdin.on("end", () => child.stdin.end());
  createInterface({ input: child.stdout }).on("line", async (text) => {
    await working;
    let line: string | Uint8Array = `${text}\n`;
    for (const { fault, argument } of readSwitches())
      if (fault.line && typeof line === "string") line = fault.line(line, argument);
    print(line);
  });
  child.on("close", (code) => void working.then(() => process.exit(code ?? 1)));
}

async function work(agent: FaultyAgent, switches: readonly ActiveSwitch[]): Promise<void> {
  for (const { fault, argument } of switches) if (fault.any) await fault.work?.(agent, argument);
}
