import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";
import { listFolders } from "./folders.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-folders-")));
beforeAll(() => {
  for (const path of ["beta/.git", "alpha", ".hidden", "worktree"]) mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, "worktree", ".git"), "gitdir: elsewhere\n");
  writeFileSync(join(root, "file.txt"), "");
  symlinkSync(join(root, "alpha"), join(root, "link"));
  symlinkSync("nowhere", join(root, "dangling"));
});
afterAll(() => rmSync(root, { recursive: true }));

describe("the folders to pick from", () => {
  it("are those inside, also behind a link, and which of them are repositories", async () => {
    const { path, parent, home, folders } = await listFolders(root, []);
    expect({ path, parent, home }).toEqual({ path: root, parent: realpathSync(tmpdir()), home: homedir() });
    expect(folders).toEqual(
      [
        { name: "alpha", git: false },
        { name: "beta", git: true },
        { name: "link", git: false },
        { name: "worktree", git: true },
        { name: ".hidden", git: false },
      ].map(({ name, git }) => ({ name, path: join(root, name), git })),
    );
  });

  it("have no parent at the top, and begin at home", async () => {
    expect(await listFolders("/", [])).toMatchObject({ path: "/" });
    expect((await listFolders("/", [])).parent).toBeUndefined();
    expect((await listFolders(undefined, [])).path).toBe(realpathSync(homedir()));
  });

  it("include those of sessions, once each and only while they are there", async () => {
    const beta = join(root, "beta");
    const { recent } = await listFolders(root, [beta, join(root, "gone"), root, beta, join(root, "file.txt")]);
    expect(recent).toEqual([
      { path: beta, git: true },
      { path: root, git: false },
    ]);
  });

  it.each([join(root, "file.txt"), join(root, "nowhere"), join(root, "dangling")])("are not in %s", async (path) => {
    await expect(listFolders(path, [])).rejects.toMatchObject({ code: "invalid" });
  });
});

it("the daemon knows where its sessions worked, the newest first", async () => {
  const daemon = await new TestDaemon().start();
  try {
    for (const cwd of [join(root, "alpha"), daemon.cwd, join(root, "alpha")])
      await daemon.client.sessions.create({ agent: "scripted", cwd });
    const { recent } = await daemon.client.files.folders(root);
    expect(recent.map(({ path }) => path)).toEqual([join(root, "alpha"), realpathSync(daemon.cwd)]);
    await expect(daemon.client.files.folders("relative")).rejects.toMatchObject({ code: "invalid" });
    await expect(daemon.client.files.folders("/\0")).rejects.toMatchObject({ code: "invalid" });
  } finally {
    await daemon.dispose();
  }
});
