// `npm test`: the check, then every test that needs nothing but this repository.
import { report, step } from "./steps.ts";

const checked = await step("check", [process.execPath, "scripts/check.ts"], { live: true });
if (checked.code !== 0) process.exit(1);
const tested = await step("tests", ["vitest", "run", ...process.argv.slice(2)], { live: true });
process.exit(report([checked, tested]));
