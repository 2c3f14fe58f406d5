import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import type { HunkRange } from "@gantry/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GitDaemon } from "../../checkpoints/testing/git-daemon.ts";
import { splitHunks } from "../hunks.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

let daemon: GitDaemon;
let id: string;

beforeEach(async () => {
  daemon = new GitDaemon();
  daemon.git("config", "user.name", "Test");
  daemon.git("config", "user.email", "test@localhost");
  writeFileSync(daemon.file("a.txt"), lines(40));
  daemon.git("add", "-A");
  daemon.git("commit", "-q", "-m", "second");
  await daemon.start();
  const script =
    "sed -i 's/^line 2$/LINE 2/;s/^line 20$/LINE 20/;s/^line 38$/LINE 38/' a.txt; printf 'x\\ny' > new.txt";
  writeFileSync(daemon.file("turn.log"), script);
  id = (await daemon.session("scripted", "[[script:turn.log]] go", { mode: "full-auto" })).id;
  await daemon.waitUntil(id, ({ turns, state }) => turns === 1 && state === "idle");
});
afterEach(() => daemon.dispose());

/** The hunks of a file in a comparison, and its end. */
async function hunksOf(path: string, from: string, to?: string): Promise<{ hunks: HunkRange[]; seen: string }> {
  const list = await daemon.client.changes.list(id, { from, ...(to ? { to } : {}) });
  const { patch } = await daemon.client.changes.file(id, { path, from: list.base, to: list.to });
  return { hunks: splitHunks(patch).hunks.map(({ text, ...range }) => range), seen: list.to };
}

const staged = () =>
  daemon
    .git("diff", "--cached", "-U0", "--", "a.txt")
    .split("\n")
    .filter((line) => /^[+-]\w/.test(line));

it("stages single hunks of any comparison, unstages one, and commits exactly the staged part", async () => {
  const { hunks, seen } = await hunksOf("a.txt", "session");
  expect(hunks.length).toBe(3);
  const { stage, unstage } = daemon.client.changes;
  expect(await stage(id, { paths: ["a.txt"], hunks: hunks.slice(1, 2), seen })).toEqual([
    { path: "a.txt", partly: true },
  ]);
  expect(staged()).toEqual(["-line 20", "+LINE 20"]);
  await stage(id, { paths: ["a.txt"], hunks: hunks.slice(2), seen });
  expect(staged()).toEqual(["-line 20", "+LINE 20", "-line 38", "+LINE 38"]);

  const inIndex = await hunksOf("a.txt", "head", "index");
  await unstage(id, { paths: ["a.txt"], hunks: inIndex.hunks.slice(0, 1), seen: inIndex.seen });
  expect(staged()).toEqual(["-line 38", "+LINE 38"]);
  const rest = await daemon.client.changes.list(id, { from: "index" });
  expect(rest.files).toMatchObject([{ path: "a.txt", additions: 2 }, { path: "new.txt" }]);

  const plan = await daemon.client.changes.commitPlan(id);
  expect(plan).toMatchObject({ staged: [{ path: "a.txt", partly: true }], message: "Change a.txt" });
  const before = readFileSync(daemon.file("a.txt"), "utf8");
  const { files } = await daemon.client.changes.commit(id, { staged: true });
  expect(files).toMatchObject([{ path: "a.txt", additions: 1, deletions: 1 }]);
  expect(daemon.git("show", "HEAD:a.txt")).toContain("LINE 38");
  expect(daemon.git("show", "HEAD:a.txt")).not.toContain("LINE 20");
  expect(readFileSync(daemon.file("a.txt"), "utf8")).toBe(before);
  const empty = daemon.client.changes.commit(id, { staged: true });
  await expect(empty).rejects.toMatchObject({ code: "conflict", message: "Nothing is staged." });
});

it("stages and unstages whole files, new and deleted ones and parts of a new one", async () => {
  const { stage, unstage } = daemon.client.changes;
  chmodSync(daemon.file("new.txt"), 0o755);
  const { hunks, seen } = await hunksOf("new.txt", "head");
  await stage(id, { paths: ["new.txt"], hunks, seen });
  expect(daemon.git("show", ":new.txt")).toBe("x\ny");
  expect(daemon.git("ls-files", "--stage", "new.txt")).toMatch(/^100755 /);
  const part = await hunksOf("new.txt", "head", "index");
  expect(await unstage(id, { paths: ["new.txt"], hunks: part.hunks, seen: part.seen })).toEqual([]);
  expect(daemon.git("status", "--porcelain", "new.txt")).toBe("?? new.txt");

  expect(await stage(id, { paths: ["a.txt", "new.txt"] })).toEqual([
    { path: "a.txt", partly: false },
    { path: "new.txt", partly: false },
  ]);
  expect(await unstage(id, { paths: ["a.txt"] })).toEqual([{ path: "new.txt", partly: false }]);
  const outside = stage(id, { paths: ["../x"] });
  await expect(outside).rejects.toMatchObject({ code: "invalid" });
});

it("refuses hunks of a file that changed after the list", async () => {
  const { hunks, seen } = await hunksOf("a.txt", "session");
  writeFileSync(daemon.file("a.txt"), `first\n${readFileSync(daemon.file("a.txt"), "utf8")}`);
  const late = daemon.client.changes.stage(id, { paths: ["a.txt"], hunks: hunks.slice(0, 1), seen });
  await expect(late).rejects.toMatchObject({ code: "conflict" });
  expect(daemon.git("diff", "--cached", "--name-only")).toBe("");
});

it("discards what is not staged", async () => {
  const { hunks, seen } = await hunksOf("a.txt", "session");
  await daemon.client.changes.stage(id, { paths: ["a.txt"], hunks: hunks.slice(0, 1), seen });
  await daemon.client.changes.discard(id, { from: "index", paths: ["a.txt"] });
  expect(readFileSync(daemon.file("a.txt"), "utf8")).toBe(lines(40).replace("line 2\n", "LINE 2\n"));
});
