// `npm run test:one <file>`: runs one test file at once, without the check and without building the page.
import { report, step } from "./steps.ts";

const args = process.argv.slice(2);
if (args.length === 0) {
  process.stderr.write("usage: npm run test:one <file or part of its path> [-- -t <title>]\n");
  process.exit(2);
}
process.exit(report([await step("tests", ["vitest", "run", ...args], { live: true })]));
