// `npm run check`: types, format and lint, the tree's shape, dead code. `npm run fix` mends what a tool can mend.
import { report, step } from "./steps.ts";

const fix = process.argv.includes("--fix");
const node = process.execPath;

const results = await Promise.all([
  step("types", ["tsc", "--noEmit", "-p", "."]),
  step("format and lint", ["biome", "check", ...(fix ? ["--write"] : []), "--error-on-warnings", "."]),
  step("shape", [node, "scripts/shape/run.ts"]),
  step("dead code", ["knip", "--no-progress"]),
]);
process.exit(report(results));
