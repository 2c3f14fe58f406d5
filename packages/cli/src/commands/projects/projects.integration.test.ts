import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-projects-")));
const gantry = commandLine(home);
const SLOW = 120_000;
// Folders in the home folder of Gantry are never projects.
const work = realpathSync(mkdtempSync(join(tmpdir(), "gantry-projects-work-")));
const shop = join(work, "shop");

afterAll(async () => {
  await gantry(["stop", "--release"]);
  for (const folder of [home, work]) rmSync(folder, { recursive: true, force: true });
}, SLOW);

test(
  "lists, names, configures and pins a project",
  async () => {
    mkdirSync(shop, { recursive: true });
    execFileSync("git", ["init", "--quiet", "-b", "main"], { cwd: shop });
    writeFileSync(join(shop, "readme.md"), "shop\n");
    expect((await gantry(["projects"])).stdout).toContain("No projects yet");
    await gantry(["run", "-a", "scripted", "--cwd", shop, "[[text]] hello"]);
    expect((await gantry(["projects"])).stdout).toMatch(/shop +1 +0/);
    const set = await gantry(["projects", "set", shop, "--name", "Shop", "--mode", "plan", "--check", "npm test"]);
    expect(set).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Shop\n[\s\S]*mode +plan[\s\S]*check +npm test/),
    });
    expect(readFileSync(join(shop, ".gantry/lane.yml"), "utf8")).toBe("check: npm test\n");
    await gantry(["projects", "pin", "--project", "Shop"]);
    await gantry(["projects", "pin", "last"]);
    const { projects } = JSON.parse((await gantry(["projects", "--json"])).stdout);
    expect(projects).toMatchObject([{ name: "Shop", pinned: true, pins: [expect.stringMatching(/^ses_/)] }]);
    await gantry(["projects", "unpin", "last"]);
    expect(JSON.parse((await gantry(["projects", "show", "Shop", "--json"])).stdout)).toMatchObject({
      pins: [],
      defaults: { mode: "plan" },
      check: { command: "npm test", trusted: true },
    });
    expect((await gantry(["projects", "set", "Shop", "--check", "default"])).stdout).not.toContain("npm test");
    expect(await gantry(["projects", "show", "no-such"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("There is no project no-such"),
    });
    expect((await gantry(["projects", "rm", "Shop"])).stdout).toContain("Files and sessions stay");
  },
  SLOW,
);
