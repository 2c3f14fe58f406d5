import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Files } from "./files.ts";

let root: string;
let cwd: string;
let files: Files;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-files-")));
  cwd = join(root, "project");
  mkdirSync(join(root, "home", "uploads"), { recursive: true });
  mkdirSync(cwd);
  files = new Files({ home: join(root, "home"), used: () => [] });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string | Buffer = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const git = (...args: string[]) => execFileSync("git", args, { cwd, stdio: "pipe" });
const all = async (q = "") => (await files.find(cwd, q, 500)).files.map(({ path, kind }) => `${kind} ${path}`).sort();

describe("finding files", () => {
  it("gives those that git has or would take, and their folders", async () => {
    git("init", "--quiet");
    for (const path of ["src/a.ts", "src/deep/b.ts", "gone.ts", "ignored/x.o", "new.ts", "ö \n x.ts", ".env.example"])
      put(`project/${path}`);
    put("project/.gitignore", "ignored/\n");
    git("add", "src", "gone.ts");
    rmSync(join(cwd, "gone.ts"));
    expect(await all()).toEqual(
      ["file .env.example", "file .gitignore", "file new.ts", "file src/a.ts", "file src/deep/b.ts", "file ö \n x.ts"]
        .concat("folder src", "folder src/deep")
        .sort(),
    );
    expect(await all("deep")).toEqual(["file src/deep/b.ts", "folder src/deep"]);
  });

  it("runs nothing that a repository configures", async () => {
    git("init", "--quiet");
    put("project/a.ts");
    git("config", "core.fsmonitor", `touch ${join(root, "pwned")}; false`);
    expect(await all()).toEqual(["file a.ts"]);
    expect(() => realpathSync(join(root, "pwned"))).toThrow();
  });

  it("lists folders without git, skips ignored names, and follows no link in circles", async () => {
    for (const path of ["src/a.ts", "node_modules/x/index.js", ".cache/y", ".env"]) put(`project/${path}`);
    symlinkSync(cwd, join(cwd, "src", "around"));
    expect(await all()).toEqual(["file .env", "file src/a.ts", "folder src"]);
  });

  it("reports that there are more matches", async () => {
    for (const path of ["a1", "a2", "a3"]) put(`project/${path}`);
    expect(await files.find(cwd, "a", 2)).toEqual({
      files: [
        { path: "a1", kind: "file" },
        { path: "a2", kind: "file" },
      ],
      truncated: true,
    });
    expect((await files.find(cwd, "a", 3)).truncated).toBe(false);
  });

  it("refuses what is no folder", async () => {
    put("project/a.ts");
    for (const folder of [join(cwd, "a.ts"), join(cwd, "nowhere"), "relative", ""])
      await expect(files.find(folder, "", 5)).rejects.toMatchObject({ code: "invalid" });
  });

  it("sees new files soon", async () => {
    expect(await all()).toEqual([]);
    put("project/new.ts");
    await expect.poll(() => all(), { timeout: 30_000, interval: 500 }).toEqual(["file new.ts"]);
  });
});

describe("reading a file", () => {
  const code = (path: string) =>
    files.read(cwd, path).then(
      () => "read",
      (error) => error.code,
    );

  it("gives pictures with their type and all else as text", async () => {
    put("project/a.html", "<script>alert(1)</script>");
    put("project/shot.PNG", Buffer.from([0x89, 0x50]));
    put("home/uploads/up.jpeg", "x");
    expect(await files.read(cwd, "a.html")).toMatchObject({ type: "text/plain; charset=utf-8" });
    expect(await files.read(cwd, "shot.PNG")).toEqual({ type: "image/png", body: Buffer.from([0x89, 0x50]) });
    expect(await files.read(cwd, join(root, "home/uploads/up.jpeg"))).toMatchObject({ type: "image/jpeg" });
    expect(Buffer.from((await files.read(cwd, "sub/../a.html")).body).toString()).toContain("alert");
  });

  it("lets nothing out", async () => {
    put("secret.txt", "keep out");
    put("home/token", "keep out");
    put("project-sibling/x", "keep out");
    mkdirSync(join(cwd, "sub"));
    symlinkSync(join(root, "secret.txt"), join(cwd, "link.txt"));
    symlinkSync(root, join(cwd, "up"));
    symlinkSync("nowhere", join(cwd, "dangling"));
    for (const path of ["../secret.txt", "sub/../../secret.txt", "link.txt", "up/secret.txt", join(root, "home/token")])
      expect([path, await code(path)]).toEqual([path, "outside_folder"]);
    for (const path of ["/etc/passwd", "/etc/no-such-file", "../project-sibling/x", "..", "/", "/proc/self/environ"])
      expect([path, await code(path)]).toEqual([path, "outside_folder"]);
    for (const path of ["nothing", "dangling", "link.txt/x", "a\0b", "%2e%2e/secret.txt"])
      expect([path, await code(path)]).toEqual([path, "not_found"]);
  });

  it("gives plain files only, of a size that can be shown", async () => {
    mkdirSync(join(cwd, "sub"));
    await promisify(execFile)("mkfifo", [join(cwd, "pipe")]);
    put("project/huge.bin");
    truncateSync(join(cwd, "huge.bin"), 16 * 1024 * 1024 + 1);
    expect(await code("sub")).toBe("invalid");
    expect(await code("pipe")).toBe("invalid");
    expect(await code("huge.bin")).toBe("too_large");
    truncateSync(join(cwd, "huge.bin"), 16 * 1024 * 1024);
    expect(await code("huge.bin")).toBe("read");
  });
});
