import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "@gantry/protocol";
import { expect, vi } from "vitest";
import { testGitEnvironment } from "../../lanes/testing/test-repository.ts";
import { TestDaemon } from "../../test-daemon.ts";

type Diff = Envelope<"diff.updated">;

const PATIENCE = { timeout: 60_000, interval: 50 };

/** A daemon whose sessions work in a repository, with a git that can be blocked. */
export class GitDaemon extends TestDaemon {
  readonly #hold = join(this.home, "hold-git");

  constructor(options: ConstructorParameters<typeof TestDaemon>[0] & { plain?: boolean } = {}) {
    super(options);
    const bin = join(this.home, "held");
    mkdirSync(bin);
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const wait = `while [ -e '${this.#hold}' ]; do sleep 0.05; done`;
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${wait}\nexec '${real}' "$@"\n`);
    chmodSync(join(bin, "git"), 0o755);
    this.env.PATH = `${bin}:${this.env.PATH}`;
    if (options.plain) return;
    this.git("init", "-q", "-b", "main");
    writeFileSync(this.file("README.md"), "hello\n");
    writeFileSync(this.file(".gitignore"), "*.log\n");
    this.git("add", "-A");
    this.git("commit", "-q", "-m", "first");
  }

  file(name: string): string {
    return join(this.cwd, name);
  }

  git(...args: string[]): string {
    return this.gitIn(this.cwd, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync("git", args, { cwd, env: testGitEnvironment, encoding: "utf8" }).trim();
  }

  /** Blocks the daemon's git until `unblock`. */
  block(): void {
    writeFileSync(this.#hold, "");
  }

  unblock(): void {
    rmSync(this.#hold, { force: true });
  }

  /** The diffs of checkpoints in a session: those with commits. */
  async diffs(id: string): Promise<Diff[]> {
    const log = await this.log(id);
    return log.filter((event): event is Diff => event.type === "diff.updated" && event.data.before !== undefined);
  }

  /** The diffs of `count` turns, when their final checkpoints are stored. */
  diffsOf(id: string, count: number): Promise<Diff[]> {
    return vi.waitFor(async () => {
      const all = (await this.diffs(id)).filter(({ data }) => data.after);
      expect(all.length).toBe(count);
      return all;
    }, PATIENCE);
  }

  /** The checkpoint notices of a session. */
  async notices(id: string): Promise<string[]> {
    const log = await this.log(id);
    return log.flatMap(({ type, data }) =>
      type === "notice" && data.kind.startsWith("checkpoint") ? [data.text] : [],
    );
  }

  refs(): string[] {
    return this.git("for-each-ref", "--format=%(refname)", "refs/gantry").split("\n").filter(Boolean);
  }

  override async dispose(): Promise<void> {
    this.unblock();
    await super.dispose();
  }
}
