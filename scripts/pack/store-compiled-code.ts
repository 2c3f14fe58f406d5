// Part of the package `gantry`, next to its chunks. The first daemon of an installation runs it once for each version of V8
// (packages/cli/src/daemon/compiled-code.ts): compiled code depends on the processor and on Node, so no tarball can contain it.
import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { fillCodeCache } from "../build/fill-code-cache.ts";

const [marker = ""] = process.argv.slice(2);
try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // Not permitted everywhere.
}
await fillCodeCache(join(import.meta.dirname, "main.js"));
writeFileSync(marker, "");
