// `npm run check`: types, format and lint, the shape of the tree, prose, dead code. `npm run fix` fixes what a tool can fix.
import { report, step } from "./steps.ts";

const fix = process.argv.includes("--fix");
const node = process.execPath;

const results = await Promise.all([
  step("types", ["tsc", "--noEmit", "-p", "."]),
  step("format and lint", ["biome", "check", ...(fix ? ["--write"] : []), "--error-on-warnings", "."]),
  step("shape", [node, "scripts/shape/run.ts"]),
  step("prose", [node, "scripts/prose/run.ts"]),
  step("dead code", ["knip", "--no-progress"]),
]);
process.exit(report(results));
