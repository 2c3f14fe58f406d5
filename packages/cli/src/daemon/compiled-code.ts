import { spawn } from "node:child_process";
import { openSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Stores the compiled code of an installed package in the background, once for each version of V8 (docs/decisions/0047-packages.md).
 * `program` does it; it is in the folder of the chunks. Without write permission there nothing happens, and every start compiles.
 */
export function storeCompiledCode(folder: string, program: string): void {
  const marker = join(folder, `compiled-by-${process.versions.v8}-${process.arch}`);
  try {
    // Exclusive: of several daemons, one does it.
    openSync(marker, "wx");
  } catch {
    return;
  }
  const child = spawn(process.execPath, [join(folder, program), `${marker}.done`], {
    detached: true,
    stdio: "ignore",
  });
  child.once("error", () => rmSync(marker, { force: true }));
  child.unref();
}
