import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FaultName, Faults } from "@gantry/scripted/agent";

export type DialectName = "scripted" | "claude" | "codex" | "acp" | "cursor" | "hermes" | "goose" | "qoder" | "amp";

export interface FakeAgentOptions {
  /** The folder for the program; created if it is missing. */
  dir: string;
  dialect: DialectName;
  /** One fault or several, each with its argument: `slow-start:500`. */
  fault?: FaultSpec | readonly FaultSpec[];
  /** `agent`: the agent's scenarios. `model`: the scenarios of the scripted model. Default `agent`. */
  script?: "agent" | "model";
  /** Milliseconds between the chunks of a message. Default 10. */
  pace?: number;
  /** The Node that runs it. Default: the one that runs this. */
  nodePath?: string;
  /** The program's file name. Default: the dialect's. */
  name?: string;
}

export type FaultSpec = FaultName | `${FaultName}:${string}`;

/**
 * Writes a small executable that can stand in for a vendor's program and returns its path. It takes the vendor's
 * arguments and speaks the vendor's protocol. Throws for an unknown fault.
 */
export function writeFakeAgent(options: FakeAgentOptions): string {
  const faults = [options.fault ?? []].flat();
  Faults.parse(faults);
  const entry = join(dirname(fileURLToPath(import.meta.url)), "main.ts");
  const command = [
    options.nodePath ?? process.execPath,
    "--disable-warning=ExperimentalWarning",
    entry,
    ...["--dialect", options.dialect],
    ...faults.flatMap((fault) => ["--fault", fault]),
    ...["--pace", String(options.pace ?? 10)],
    ...["--script", options.script ?? "agent"],
  ];
  mkdirSync(options.dir, { recursive: true });
  const path = join(options.dir, options.name ?? options.dialect);
  writeFileSync(path, `#!/bin/sh\nexec ${command.map(quote).join(" ")} -- "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
