import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Daemon, startDaemon } from "@gantry/runtime/daemon";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { commandLine } from "../../command-line.harness.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-transfer-")));
const home = join(root, "gantry");
const folder = join(root, "project");
const gantry = commandLine(home);
const fixtures = join(import.meta.dirname, "../../../../runtime/src/agents/claude/fixtures/history/projects");
let daemon: Daemon;

beforeAll(async () => {
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(folder);
  cpSync(fixtures, join(root, ".claude", "projects"), { recursive: true });
  daemon = await startDaemon({ home, env: { PATH: process.env.PATH, HOME: root }, version: manifest.version });
});
afterAll(async () => {
  await daemon.stop("release");
  rmSync(root, { recursive: true, force: true });
});

test("lists the conversations on disk and imports one by the start of its id", async () => {
  expect((await gantry(["import"], { cwd: folder })).stdout).toContain("--all looks everywhere");
  const listed = await gantry(["import", "--all"]);
  expect(listed.stdout).toMatch(/CONVERSATION +AGENT/);
  expect(listed.stdout).toContain("7a6da127-9fb3-4372-b756-643c165bbc55");
  const { status, stdout } = await gantry(["import", "7a6da127", "--cwd", folder, "--json"]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ origin: "import", agent: "claude", cwd: folder, turns: 1 });
  const again = JSON.parse((await gantry(["import", "--all", "--json"])).stdout);
  expect(again.conversations.map((one: { imported?: string }) => one.imported)).toContain(JSON.parse(stdout).id);
});

test("an unknown name or a flag that does not apply is an error", async () => {
  const nothing = await gantry(["import", "no-such-thing"]);
  expect([nothing.status, nothing.stderr]).toEqual([2, expect.stringContaining("neither a file nor a conversation")]);
  const unknown = await gantry(["import", "--agent", "goose"]);
  expect([unknown.status === 0, unknown.stderr]).toEqual([
    false,
    expect.stringContaining("cannot read the conversation files of Goose"),
  ]);
  const both = await gantry(["export", "last", "-o", "-", "--json"]);
  expect(both.status).toBe(2);
});

test("exports a session in each format and imports it again", async () => {
  for (const [file, holds] of [
    ["a.html", "<!doctype html>"],
    ["a.md", "# [[write]] please"],
    ["a.jsonl", '"session.created"'],
  ] as const) {
    const { status } = await gantry(["export", "last", "-o", file, "--redact"], { cwd: folder });
    expect(status).toBe(0);
    const text = readFileSync(join(folder, file), "utf8");
    expect(text.replaceAll("\\[", "[").replaceAll("\\]", "]")).toContain(holds);
    expect(text).not.toContain(root);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
  const made = JSON.parse((await gantry(["export", "last", "--json"], { cwd: folder })).stdout);
  expect(made).toMatchObject({ format: "gantry", path: join(folder, "write-please.gantry") });
  const same = JSON.parse((await gantry(["import", made.path, "--json"])).stdout);
  expect(same.id).toBe(made.session);
  const { stdout } = await gantry(["export", "last", "-f", "md", "-o", "-"]);
  expect(stdout).toContain("Exported with Gantry");
});
