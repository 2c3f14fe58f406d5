// `npm test`: the check, the page, then the unit tests. `--suite integration|e2e|browser|docs|all` runs the longer suites instead, which
// need the same set-up. Further arguments go to vitest.
import { findChromium, HOW_TO_GET_ONE } from "../e2e/browser/workbench/chromium.ts";
import { report, step } from "./steps.ts";

const SUITES = ["unit", "integration", "e2e", "browser", "docs"];

const args = process.argv.slice(2);
const at = args.indexOf("--suite");
const [, suite = "unit"] = at < 0 ? [] : args.splice(at, 2);
const suites = suite === "all" ? SUITES : [suite];
if (!suites.every((name) => SUITES.includes(name))) {
  process.stderr.write(`Unknown suite ${suite}. Suites: ${SUITES.join(", ")}, all.\n`);
  process.exit(2);
}

const results = [];
if (suites.includes("unit")) results.push(await step("check", [process.execPath, "scripts/check.ts"], { live: true }));
if (results.every(isOk)) results.push(await step("page", [process.execPath, "scripts/build/page.ts"]));
if (results.every(isOk)) results.push(await runVitest());
const code = report(results);
if (suites.includes("browser") && !findChromium()) {
  const line = "─".repeat(100);
  process.stdout.write(`${line}\nNOT TESTED: the page. No Chromium was found. ${HOW_TO_GET_ONE}\n${line}\n`);
}
process.exit(code);

function runVitest() {
  const projects = suites.flatMap((name) => ["--project", name]);
  return step("tests", ["vitest", "run", ...projects, ...args], { live: true, env: { GANTRY_PAGE_BUILT: "1" } });
}

function isOk({ code }: { code: number }): boolean {
  return code === 0;
}
