import { Bench } from "../harness/bench.ts";
import type { Target } from "../targets/target.ts";
import { targets } from "../targets/targets.ts";
import { driveWithAcpx } from "./acpx.ts";
import { Drive } from "./drive.ts";

/** Which client drives the agent: the official library with one version of the protocol, or acpx. */
export const clients = ["version 1", "version 2", "acpx"] as const;

export type EditorRun = { agent: string; client: (typeof clients)[number]; result: "passed" | "failed"; why?: string };

const AGENTS = ["claude", "codex", "opencode", "gantry"];

/** The newest pinned version of each agent. */
export function editorTargets(only: readonly string[] = AGENTS): Target[] {
  return AGENTS.filter((agent) => only.includes(agent)).flatMap(
    (agent) => targets.find((target) => target.agent === agent && !target.channel) ?? [],
  );
}

/** Drives one agent with one client through all steps of the contract. Never rejects. */
export async function runEditor(target: Target, client: EditorRun["client"]): Promise<EditorRun & { frames?: number }> {
  const cell = { agent: target.name, client };
  try {
    const bench = await Bench.open(target);
    const drive = new Drive(bench, client === "version 2" ? 2 : 1);
    let frames: number | undefined;
    let invalid: string[] = [];
    let left: string[] = [];
    try {
      if (client === "acpx") await driveWithAcpx(bench);
      else frames = await drive.all();
    } finally {
      invalid = await drive.close();
      left = await bench.close();
    }
    const why = [...invalid.map((line) => `invalid frame: ${line}`), ...left.map((line) => `still runs: ${line}`)];
    return why.length === 0
      ? { ...cell, result: "passed", frames }
      : { ...cell, result: "failed", why: why.join("\n") };
  } catch (error) {
    return { ...cell, result: "failed", why: (error as Error).message };
  }
}
