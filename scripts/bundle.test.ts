import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "./steps.ts";

const run = promisify(execFile);

it("the command line can be bundled, and the bundle runs", async () => {
  await run(process.execPath, ["--disable-warning=ExperimentalWarning", join(root, "scripts/bundle.ts")]);
  expect(existsSync(join(root, "dist/gantry/page.html"))).toBe(true);
  const { stdout } = await run(process.execPath, [join(root, "dist/gantry/main.js"), "agents", "--help"]);
  expect(stdout).toContain("gantry agents");
});
