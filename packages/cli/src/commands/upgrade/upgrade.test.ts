import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { inProcess } from "../../command-line.harness.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-upgrade-"));
afterAll(() => rmSync(home, { recursive: true }));

it("prints what to do in a clone, and changes nothing", async () => {
  const { status, stderr } = await inProcess(home, ["upgrade"]);
  expect(status).toBe(3);
  expect(stderr).toContain("This Gantry runs from the clone");
  expect(stderr).toContain("git pull");
});

it.each(["git+ssh://host/x", "https://host/gantry.zip", "../folder", "a b", "gantry@1.0.0"])(
  "refuses %s as a source",
  async (source) => {
    const { status, stderr } = await inProcess(home, ["upgrade", source]);
    expect(status).toBe(2);
    expect(stderr).toContain("is neither a tarball nor a version. Nothing was changed.");
  },
);

it("refuses a tarball that does not exist", async () => {
  const { status, stderr } = await inProcess(home, ["upgrade", "./missing.tgz"]);
  expect(status).toBe(2);
  expect(stderr).toContain("missing.tgz does not exist");
});

it("prints the version and where it is installed", async () => {
  const { stdout } = await inProcess(home, ["version", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ installation: "clone", node: process.versions.node });
});
