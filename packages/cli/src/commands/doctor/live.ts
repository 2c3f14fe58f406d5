import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, checkLive, type LiveReport, type LiveStep } from "@gantry/client";

/** Sends one tiny prompt to an agent through the real path, in an empty folder that is removed again. */
export async function tryLive(client: Client, agent: string, onStep: (step: LiveStep) => void): Promise<LiveReport> {
  const cwd = mkdtempSync(join(tmpdir(), "gantry-doctor-"));
  try {
    return await checkLive(client, { agent, cwd, onStep });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
