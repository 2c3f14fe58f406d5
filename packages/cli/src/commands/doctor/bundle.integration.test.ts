import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-bundle-test-")));
const cwd = realpathSync(mkdtempSync(join(tmpdir(), "gantry-bundle-cwd-")));
const SECRET = "sk-test-0123456789abcdef0123456789abcdef";
const PASSWORD = "correct-horse-battery";
const gantry = commandLine(home, { ACME_PASSWORD: PASSWORD, HOME: cwd });

afterAll(async () => {
  await gantry(["stop", "--release"]);
  for (const folder of [home, cwd]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("writes figures and logs without messages, titles, keys or the token", async () => {
  await gantry(["run", "-a", "scripted", "--title", "private title", "[[text]] private prompt"], { cwd });
  appendFileSync(join(home, "logs/daemon.log"), `key ${SECRET} ${PASSWORD} in ${join(cwd, "a.txt")} and ${home}/x\n`);
  const made = await gantry(["doctor", "scripted", "--bundle", "--out", "report.tar.gz", "--json"], { cwd });
  expect(made.status, made.stderr).toBe(0);
  const { bundle } = JSON.parse(made.stdout) as { bundle: { path: string; files: string[] } };
  expect(bundle.path).toBe(join(cwd, "report.tar.gz"));
  execFileSync("tar", ["-xzf", bundle.path], { cwd });
  const texts = bundle.files.map((file) => readFileSync(join(cwd, "report", file), "utf8"));
  const all = texts.join("\n");
  expect(bundle.files).toEqual(expect.arrayContaining(["about.json", "doctor.json", "metrics.txt", "daemon.log"]));
  const token = readFileSync(join(home, "token"), "utf8").trim();
  for (const hidden of [token, SECRET, PASSWORD, "private title", "private prompt", home, cwd])
    expect(all).not.toContain(hidden);
  expect(JSON.parse(texts[bundle.files.indexOf("sessions.json")] ?? "")).toMatchObject([
    { agent: "scripted", lastTurn: { outcome: "completed" } },
  ]);
  expect(texts[bundle.files.indexOf("metrics.txt")]).toContain('gantry_turns_total{outcome="completed"} 1');
});

test("does not replace a file, and names the reason if it cannot write", async () => {
  const before = statSync(join(cwd, "report.tar.gz")).mtimeMs;
  const again = await gantry(["doctor", "scripted", "--bundle", "--out", "report.tar.gz"], { cwd });
  expect([again.status, again.stderr]).toEqual([3, expect.stringContaining("exists. Nothing was written.")]);
  expect(statSync(join(cwd, "report.tar.gz")).mtimeMs).toBe(before);
  const nowhere = await gantry(["doctor", "scripted", "--bundle", "--out", "missing/report.tar.gz"], { cwd });
  expect([nowhere.status, nowhere.stderr]).toEqual([3, expect.stringContaining("tar could not write")]);
  expect(existsSync(join(cwd, "missing"))).toBe(false);
});
