#!/usr/bin/env node
// The fault agent: main.ts <protocol> <command as JSON> [vendor arguments]. Its switches are the lines of the file `faults.txt` in its
// working folder, each `name` or `name:argument`. Without the file it has no fault.
import { readFileSync, writeSync } from "node:fs";
import { AcpAgent } from "./acp-agent.ts";
import { runProxy } from "./proxy-agent.ts";
import { type ActiveSwitch, readSwitch } from "./switches.ts";

const [protocol = "acp", program = "[]", ...args] = process.argv.slice(2);
if (protocol === "acp") new AcpAgent(readSwitches, print).run();
else runProxy([...(JSON.parse(program) as string[]), ...args], readSwitches, print);

function readSwitches(): ActiveSwitch[] {
  try {
    const lines = readFileSync("faults.txt", "utf8").split("\n");
    return lines.filter((line) => line !== "").map(readSwitch);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Stdout is a file of the daemon, so that a write never blocks for long. */
function print(bytes: string | Uint8Array): void {
  const buffer = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  for (let at = 0; at < buffer.length; ) at += writeSync(1, buffer, at);
}
