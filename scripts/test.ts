// `npm test`: the check, the page, then every test that needs nothing but this repository; those of the page need a Chromium.
import { findChromium, HOW_TO_GET_ONE } from "../e2e/browser/chromium.ts";
import { report, step } from "./steps.ts";

const checked = await step("check", [process.execPath, "scripts/check.ts"], { live: true });
if (checked.code !== 0) process.exit(1);
const built = await step("page", [process.execPath, "scripts/page.ts"]);
if (built.code !== 0) process.exit(report([checked, built]));
const env = { GANTRY_PAGE_BUILT: "1" };
const tested = await step("tests", ["vitest", "run", ...process.argv.slice(2)], { live: true, env });
const code = report([checked, built, tested]);
if (!findChromium()) {
  const line = "─".repeat(100);
  process.stdout.write(`${line}\nNOT TESTED: the page. No Chromium was found. ${HOW_TO_GET_ONE}\n${line}\n`);
}
process.exit(code);
