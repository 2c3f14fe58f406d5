import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The protocols of the fault agent. All but `acp` have only the switches that concern bytes and processes. */
export type FaultProtocol = "acp" | "claude" | "codex" | "scripted";

/** The name of the file with the switches, in the working folder of the agent. */
export const SWITCH_FILE = "faults.txt";

/** Writes an executable fault agent and returns its path. Its switches come from `SWITCH_FILE`. */
export function writeFaultAgent(dir: string, protocol: FaultProtocol): string {
  const main = join(import.meta.dirname, "main.ts");
  const path = join(dir, `fault-${protocol}`);
  mkdirSync(dirname(path), { recursive: true });
  const command = [process.execPath, "--disable-warning=ExperimentalWarning", main, protocol];
  writeFileSync(path, `#!/bin/sh\nexec ${command.map((part) => `'${part}'`).join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
