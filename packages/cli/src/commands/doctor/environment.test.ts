import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environmentChecks, homeCheck, nodeCheck } from "./environment.ts";

test("reports an old Node with a remedy", () => {
  expect(nodeCheck("24.1.0").state).toBe("ok");
  expect(nodeCheck("20.19.0")).toMatchObject({ state: "fail", fix: expect.stringContaining("Node 24") });
});

test("a home folder that others can read gets the exact command", () => {
  const home = mkdtempSync(join(tmpdir(), "gantry-home-"));
  chmodSync(home, 0o755);
  expect(homeCheck(home)).toMatchObject({ state: "warn", fix: `chmod 700 ${home}` });
  chmodSync(home, 0o700);
  expect(homeCheck(home).state).toBe("ok");
  rmSync(home, { recursive: true });
  expect(homeCheck(home)).toMatchObject({ state: "ok", detail: expect.stringContaining("first start") });
});

test("checks everything, also before the home folder exists", () => {
  const names = environmentChecks("/nonexistent/gantry/home").map(({ name }) => name);
  expect(names).toEqual(["node", "home", "disk", "git"]);
});
