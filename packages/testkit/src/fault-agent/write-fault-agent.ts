import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The protocols of the fault agent. All but `acp` have only the switches that concern bytes, processes and the ids of responses. */
export type FaultProtocol = "acp" | "claude" | "codex" | "amp" | "scripted" | "gantry";

/** The name of the file with the switches, in the working folder of the agent. */
export const SWITCH_FILE = "faults.txt";

const FLAGS = ["--disable-warning=ExperimentalWarning"];

/**
 * Writes an executable fault agent and returns its path. Its switches come from `SWITCH_FILE`. `program` is the command
 * whose bytes and process are made faulty; without it, the protocol's fake agent is.
 */
export function writeFaultAgent(dir: string, protocol: FaultProtocol, program = fakeAgent(protocol)): string {
  const main = join(import.meta.dirname, "main.ts");
  const path = join(dir, `fault-${protocol}`);
  mkdirSync(dirname(path), { recursive: true });
  const command = [process.execPath, ...FLAGS, main, protocol, JSON.stringify(program)];
  writeFileSync(path, `#!/bin/sh\nexec ${command.map((part) => `'${part}'`).join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

function fakeAgent(protocol: FaultProtocol): string[] {
  const main = join(import.meta.dirname, "../fake-agent/main.ts");
  return [process.execPath, ...FLAGS, main, "--dialect", protocol, "--pace", "1", "--"];
}
