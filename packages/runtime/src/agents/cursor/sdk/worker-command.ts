import { existsSync } from "node:fs";
import { join } from "node:path";

/** The command of the worker that hosts the SDK in `folder`. The bundle contains the worker as one file. */
export function workerCommand(folder: string): string[] {
  const bundled = join(import.meta.dirname, "cursor-worker.js");
  const worker = existsSync(bundled) ? bundled : join(import.meta.dirname, "../worker/main.ts");
  return [process.execPath, "--disable-warning=ExperimentalWarning", worker, folder];
}
