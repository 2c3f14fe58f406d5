import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GitDaemon } from "../testing/git-daemon.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let daemon: GitDaemon;
let id: string;
let turn: string;

/** A turn that adds three files, deletes one and changes one. */
beforeEach(async () => {
  daemon = new GitDaemon();
  writeFileSync(daemon.file("gone.txt"), "was here\n");
  await daemon.start();
  ({ id } = await daemon.session("scripted", "[[bashslow]] go", { mode: "full-auto" }));
  await vi.waitFor(() => expect(existsSync(daemon.file("started.txt"))).toBe(true), { timeout: 60_000 });
  for (const name of ["a.txt", "z.txt"]) writeFileSync(daemon.file(name), `${name} of the turn\n`);
  writeFileSync(daemon.file("README.md"), "changed\n");
  rmSync(daemon.file("gone.txt"));
  await daemon.client.sessions.interrupt(id);
  const [diff] = await daemon.diffsOf(id, 1);
  turn = diff?.turn ?? "";
});
afterEach(() => daemon.dispose());

const there = () =>
  ["README.md", "a.txt", "gone.txt", "started.txt", "z.txt"].filter((name) => existsSync(daemon.file(name)));

it("reverts the selected files only", async () => {
  const { files, done } = await daemon.client.turns.revert(id, turn, { paths: ["gone.txt", "a.txt"] });
  expect({ files, done }).toEqual({
    done: true,
    files: [
      { path: "a.txt", action: "delete", conflict: false },
      { path: "gone.txt", action: "write", conflict: false },
    ],
  });
  expect(there()).toEqual(["README.md", "gone.txt", "started.txt", "z.txt"]);
  expect(readFileSync(daemon.file("README.md"), "utf8")).toBe("changed\n");
  const again = await daemon.client.turns.revert(id, turn, { paths: ["a.txt"] });
  expect(again).toMatchObject({ done: false, files: [{ action: "none", why: "already in that state" }] });
  await expect(daemon.client.turns.revert(id, turn, { paths: ["x.txt"] })).rejects.toMatchObject({ code: "invalid" });
  await expect(daemon.client.turns.revert(id, turn, { paths: ["../x"] })).rejects.toMatchObject({ code: "invalid" });
});

it("refuses to overwrite later changes without force, and can undo a forced revert", async () => {
  writeFileSync(daemon.file("a.txt"), "mine\n");
  const refused = await daemon.client.turns.revert(id, turn).catch((error) => error);
  expect(refused).toMatchObject({ code: "conflict", message: expect.stringContaining("a.txt") });
  expect(refused.details.files).toContainEqual({
    path: "a.txt",
    action: "delete",
    conflict: true,
    why: "changed since",
  });
  expect(there()).toEqual(["README.md", "a.txt", "started.txt", "z.txt"]);
  const { undo = "" } = await daemon.client.turns.revert(id, turn, { force: true });
  expect(there()).toEqual(["README.md", "gone.txt"]);
  expect(readFileSync(daemon.file("README.md"), "utf8")).toBe("hello\n");
  await daemon.client.turns.undo(id, undo);
  expect(readFileSync(daemon.file("a.txt"), "utf8")).toBe("mine\n");
  expect(there()).toEqual(["README.md", "a.txt", "started.txt", "z.txt"]);
});

it("rolls back a partial revert and leaves ignored files unchanged", async () => {
  await daemon.client.turns.revert(id, turn);
  mkdirSync(daemon.file("started.txt"));
  writeFileSync(daemon.file("started.txt/other.log"), "ignored");
  const before = daemon.refs().length;
  const failed = await daemon.client.turns.revert(id, turn, { to: "after" }).catch((error) => error);
  expect(failed).toMatchObject({
    code: "conflict",
    message: expect.stringContaining("started.txt blocks the restore"),
  });
  expect(there()).toEqual(["README.md", "gone.txt", "started.txt"]);
  expect(readFileSync(daemon.file("started.txt/other.log"), "utf8")).toBe("ignored");
  expect(readFileSync(daemon.file("README.md"), "utf8")).toBe("hello\n");
  expect((await daemon.diffs(id)).filter(({ data }) => data.revert)).toHaveLength(1);
  expect(daemon.refs().length).toBe(before + 1);
});

it("refuses to revert during a turn in the same folder", async () => {
  rmSync(daemon.file("started.txt"));
  const other = await daemon.session("scripted", "[[bashslow]] go", { mode: "full-auto" });
  await vi.waitFor(() => expect(existsSync(daemon.file("started.txt"))).toBe(true), { timeout: 60_000 });
  const refused = daemon.client.turns.revert(id, turn, { force: true });
  await expect(refused).rejects.toMatchObject({ code: "turn_running", message: expect.stringContaining(other.id) });
  const dry = await daemon.client.turns.revert(id, turn, { dry: true });
  expect(dry.files.length).toBeGreaterThan(3);
  await expect(daemon.client.turns.undo(id, "job_none")).rejects.toMatchObject({ code: "no_such_revert" });
  await expect(daemon.client.turns.diff(id, "trn_none")).rejects.toMatchObject({ code: "no_such_turn" });
  const part = await daemon.client.turns.diff(id, turn, { path: "README.md", context: 0 });
  expect(part.files).toMatchObject([{ path: "README.md", additions: 1, deletions: 1 }]);
  expect(part.patch).toContain("-hello\n+changed\n");
  expect(await daemon.client.turns.diff(id, turn, { bytes: 200 })).toMatchObject({ cut: true, total: { files: 5 } });
});
