import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Excludes the machine's git configuration and names a committer. */
export const testGitEnvironment = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};

/** A real repository in a temporary folder, with one commit unless `empty`. */
export class TestRepository {
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), "gantry-repository-")));
  readonly path: string;

  constructor(options: { name?: string; empty?: boolean } = {}) {
    this.path = join(this.top, options.name ?? "project");
    mkdirSync(this.path, { recursive: true });
    this.git("init", "-q", "-b", "main");
    if (!options.empty) this.commit({ "README.md": "hello\n" });
  }

  git(...args: string[]): string {
    return this.gitIn(this.path, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync("git", args, {
      cwd,
      env: testGitEnvironment,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  }

  write(files: Record<string, string>, cwd = this.path): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
  }

  /** Returns the commit. */
  commit(files: Record<string, string>, cwd = this.path): string {
    this.write(files, cwd);
    this.gitIn(cwd, "add", "-A");
    this.gitIn(cwd, "commit", "-q", "--allow-empty", "-m", Object.keys(files).join(" ") || "nothing");
    return this.gitIn(cwd, "rev-parse", "HEAD");
  }

  hook(name: string, script: string): void {
    const path = join(this.path, ".git", "hooks", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}
