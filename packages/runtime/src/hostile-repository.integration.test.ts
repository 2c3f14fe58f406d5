import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openTrustStore } from "@gantry/trust";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { GitDaemon } from "./checkpoints/testing/git-daemon.ts";
import { Git } from "./lanes/git/git.ts";
import { worktreeTree } from "./lanes/git/snapshot.ts";
import { statusOf } from "./lanes/git/status.ts";
import { addWorktree } from "./lanes/git/worktrees.ts";
import { TestRepository, testGitEnvironment } from "./lanes/testing/test-repository.ts";

vi.setConfig({ testTimeout: 180_000 });

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

const HOOKS = [
  "applypatch-msg",
  "commit-msg",
  "fsmonitor-watchman",
  "post-applypatch",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-rewrite",
  "pre-applypatch",
  "pre-auto-gc",
  "pre-commit",
  "pre-merge-commit",
  "pre-rebase",
  "prepare-commit-msg",
  "reference-transaction",
];

const ATTRIBUTES = `*.txt filter=evil diff=evil merge=evil
*.eq filter=a=b
*.inc filter=included
*.wt filter=worktree
*.proc filter=process
*.md diff=evil merge=evil
`;

/** Every setting that names a program. `run` is the command line that leaves a trace under a name. */
function hostileConfig(run: (name: string) => string): string {
  const quote = (name: string) => `"${run(name).replace(/[\\"]/g, "\\$&")}"`;
  const program = (key: string, name = key) => `\t${key} = ${quote(name)}\n`;
  return [
    `[core]\n${["fsmonitor", "sshCommand", "pager", "editor", "askPass", "gitProxy", "alternateRefsCommand"].map((key) => program(key)).join("")}`,
    `[filter "evil"]\n${program("clean")}${program("smudge")}\trequired = true\n`,
    `[filter "a=b"]\n${program("clean", "clean of a=b")}${program("smudge", "smudge of a=b")}`,
    `[filter "process"]\n${program("process")}\trequired = true\n`,
    `[diff]\n${program("external")}`,
    `[diff "evil"]\n${program("textconv")}${program("command", "diff command")}`,
    `[merge "evil"]\n${program("driver")}`,
    `[gpg]\n${program("program")}[gpg "ssh"]\n${program("program", "gpg.ssh")}[log]\n\tshowSignature = true\n`,
    `[credential]\n${program("helper")}[sequence]\n${program("editor", "sequence")}[pager]\n${program("status", "pager.status")}`,
    `[alias]\n\tstatus = ${quote("alias").replace('"', '"!')}\n`,
    `[uploadpack]\n${program("packObjectsHook")}[protocol "ext"]\n\tallow = always\n`,
    `[remote "origin"]\n\turl = ext::sh -c touch\n${program("uploadpack")}${program("receivepack")}`,
    "[include]\n\tpath = included\n[extensions]\n\tworktreeConfig = true\n",
  ].join("");
}

function plant(gitDir: string, canary: string): void {
  const run = (name: string) => `echo '${name}' >> '${canary}'; cat`;
  appendFileSync(join(gitDir, "config"), hostileConfig(run));
  const filter = (name: string) => `[filter "${name}"]\n\tclean = "${run(name)}"\n\tsmudge = "${run(name)}"\n`;
  writeFileSync(join(gitDir, "included"), filter("included"));
  writeFileSync(join(gitDir, "config.worktree"), filter("worktree"));
  mkdirSync(join(gitDir, "hooks"), { recursive: true });
  for (const hook of HOOKS) {
    writeFileSync(join(gitDir, "hooks", hook), `#!/bin/sh\necho 'hook ${hook}' >> '${canary}'\n`);
    chmodSync(join(gitDir, "hooks", hook), 0o755);
  }
}

const ENDINGS = ["txt", "eq", "inc", "wt", "proc", "md"];
const files = (text: string) => Object.fromEntries(ENDINGS.map((ending) => [`file.${ending}`, `${text}\n`]));
const ran = (canary: string) => (existsSync(canary) ? [...new Set(readFileSync(canary, "utf8").split("\n"))] : []);

function write(folder: string, contents: Record<string, string>): void {
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text);
}

/** A repository with all of it, and with a submodule of the same kind. */
function hostileRepository(): { repo: TestRepository; canary: string } {
  const repo = new TestRepository();
  undo.push(() => repo.remove());
  const canary = join(repo.top, "canary");
  repo.commit({ ".gitattributes": ATTRIBUTES, ...files("one") });
  const nested = join(repo.path, "nested");
  repo.git("init", "-q", nested);
  repo.commit({ ".gitattributes": ATTRIBUTES, ...files("one") }, nested);
  repo.commit({});
  expect(repo.git("ls-files", "-s", "nested")).toMatch(/^160000/);
  plant(join(repo.path, ".git"), canary);
  plant(join(nested, ".git"), canary);
  write(repo.path, files("two"));
  write(nested, files("two"));
  return { repo, canary };
}

describe("code that a repository configures does not run", () => {
  it("when its state is read, in submodules neither", async () => {
    const { repo, canary } = hostileRepository();
    const git = new Git(testGitEnvironment);
    expect(await statusOf(git, repo.path)).toMatchObject({ changed: ENDINGS.length + 1 });
    expect(ran(canary)).toEqual([]);
    await worktreeTree(git, repo.path);
    await git.read(repo.path, ["log", "-p", "--no-ext-diff", "--no-textconv"]);
    await git.read(repo.path, ["diff", "--no-ext-diff", "--no-textconv"]);
    await git.write(repo.path, ["update-ref", "refs/gantry/x", "HEAD"]);
    await git.write(repo.path, ["worktree", "add", "--detach", join(repo.top, "lane"), "HEAD"]);
    await git.write(repo.path, ["reset", "--hard", "HEAD"]);
    await git.change(repo.path, ["update-ref", "refs/gantry/z", "HEAD"]);
    expect(ran(canary)).toEqual([]);
    // The plants are alive: they run if the user trusts the repository.
    const trusting = new Git(testGitEnvironment, { covers: () => true });
    await trusting.change(repo.path, ["update-ref", "refs/gantry/y", "HEAD"]);
    expect(ran(canary)).toContain("hook reference-transaction");
  });

  it("when a bare repository lies inside of a work tree", async () => {
    const { repo, canary } = hostileRepository();
    const bare = join(repo.path, "bare");
    repo.git("init", "-q", "--bare", bare);
    repo.git("--git-dir", bare, "--work-tree", repo.path, "add", "file.txt", "file.eq", ".gitattributes");
    plant(bare, canary);
    appendFileSync(join(bare, "config"), `[core]\n\tbare = false\n\tworktree = ${repo.path}\n`);
    write(repo.path, files("six"));
    const git = new Git(testGitEnvironment);
    expect((await git.read(bare, ["status", "--porcelain"])).out).toContain("AM file.txt");
    expect(ran(canary)).toEqual([]);
  });

  it("when it is configured after an earlier look", async () => {
    const repo = new TestRepository();
    undo.push(() => repo.remove());
    const canary = join(repo.top, "canary");
    const git = new Git(testGitEnvironment);
    repo.commit({ ".gitattributes": ATTRIBUTES, ...files("one") });
    await sleep(2500);
    for (let n = 0; n < 3; n++) await statusOf(git, repo.path);
    plant(join(repo.path, ".git"), canary);
    write(repo.path, files("two"));
    await statusOf(git, repo.path);
    await sleep(2500);
    for (let n = 0; n < 2; n++) await statusOf(git, repo.path);
    writeFileSync(join(repo.path, ".git", "included"), '[filter "later"]\n\tclean = "touch later; cat"\n');
    writeFileSync(join(repo.path, ".gitattributes"), `${ATTRIBUTES}*.md filter=later\n`);
    await worktreeTree(git, repo.path);
    expect(ran(canary)).toEqual([]);
    expect(existsSync(join(repo.path, "later"))).toBe(false);
  });

  it("in lanes, checkpoints, diffs and conflict checks of a daemon", async () => {
    const daemon = new GitDaemon();
    undo.push(() => daemon.dispose());
    const canary = join(daemon.home, "canary");
    write(daemon.cwd, { ".gitattributes": ATTRIBUTES, ...files("one") });
    daemon.git("add", "-A");
    daemon.git("commit", "-q", "-m", "files");
    daemon.git("checkout", "-q", "-b", "other");
    write(daemon.cwd, files("other"));
    daemon.git("commit", "-qam", "other");
    daemon.git("checkout", "-q", "main");
    plant(join(daemon.cwd, ".git"), canary);
    await daemon.start();
    const { lanes, landings } = daemon.client;
    const cwd = daemon.cwd;
    write(cwd, files("two"));
    await lanes.list({ cwd });
    const all = [await lanes.create({ cwd, name: "one" }), await lanes.create({ cwd, name: "two", base: "other" })];
    for (const lane of all) write(lane.path, files(`in ${lane.name}`));
    for (const { id } of all) {
      await lanes.get(id);
      expect((await lanes.diff(id)).files.length).toBe(ENDINGS.length);
      await landings.conflicts(id);
    }
    await landings.matrices();
    for (const folder of [cwd, ...all.map(({ path }) => path)]) {
      const { id } = await daemon.client.sessions.create({
        agent: "scripted",
        cwd: folder,
        mode: "full-auto",
        prompt: "[[touch]] go",
      });
      await daemon.waitForIdle(id);
      await daemon.diffsOf(id, 1);
      await daemon.client.files.find({ cwd: folder, q: "file" });
    }
    await lanes.list({ cwd });
    await lanes.remove(all[0]?.id ?? "", true);
    await lanes.undo(all[0]?.id ?? "");
    expect(ran(canary)).toEqual([]);
    expect(existsSync(canary)).toBe(false);
  });
});

it("runs a filter of the user's global configuration, also where the repository defines another of that name", async () => {
  const repo = new TestRepository();
  undo.push(() => repo.remove());
  const home = join(repo.top, "home");
  mkdirSync(home);
  const canary = join(repo.top, "canary");
  const filter = '[filter "case"]\n\tsmudge = tr a-z A-Z\n\tclean = tr A-Z a-z\n\trequired = true\n';
  writeFileSync(join(home, ".gitconfig"), filter);
  repo.commit({ ".gitattributes": "*.txt filter=case\n", "a.txt": "hello\n" });
  const git = new Git({ ...testGitEnvironment, HOME: home });
  const checkedOut = async (name: string) => {
    const path = join(repo.top, name);
    await git.write(repo.path, ["worktree", "add", "--detach", path, "HEAD"]);
    expect(await statusOf(git, path)).toMatchObject({ changed: 0 });
    return readFileSync(join(path, "a.txt"), "utf8");
  };
  expect(await checkedOut("one")).toBe("HELLO\n");
  repo.git("config", "filter.case.smudge", `touch '${canary}'; cat`);
  expect(await checkedOut("two")).toBe("HELLO\n");
  expect(existsSync(canary)).toBe(false);
  rmSync(join(home, ".gitconfig"));
  expect(await checkedOut("three")).toBe("hello\n");
  expect(existsSync(canary)).toBe(false);
});

/** What a repository could supply to a lane, and how its content changes. */
const SUPPLIES: Record<string, (repo: TestRepository, text: string) => void> = {
  filter: (repo, text) => {
    repo.git("config", "filter.evil.smudge", `${text}; cat`);
    writeFileSync(join(repo.path, ".git/info/attributes"), "* filter=evil\n");
  },
  "filter that names a script": (repo, text) => {
    repo.git("config", "filter.evil.smudge", `sh ${join(repo.path, "clean.sh")}; cat`);
    writeFileSync(join(repo.path, ".git/info/attributes"), "* filter=evil\n");
    writeFileSync(join(repo.path, "clean.sh"), `${text}\n`);
  },
  "included filter": (repo, text) => {
    repo.git("config", "include.path", "../more");
    writeFileSync(join(repo.path, "more"), `[filter "evil"]\n\tsmudge = "${text}; cat"\n`);
    writeFileSync(join(repo.path, ".git/info/attributes"), "* filter=evil\n");
  },
  hook: (repo, text) => repo.hook("post-checkout", text),
  "hook in the work tree": (repo, text) => {
    repo.git("config", "core.hooksPath", join(repo.path, "hooks"));
    mkdirSync(join(repo.path, "hooks"), { recursive: true });
    writeFileSync(join(repo.path, "hooks/post-checkout"), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  },
  "file next to a hook": (repo, text) => {
    repo.git("config", "core.hooksPath", join(repo.path, "hooks"));
    mkdirSync(join(repo.path, "hooks"), { recursive: true });
    writeFileSync(join(repo.path, "hooks/post-checkout"), '#!/bin/sh\n. "$(dirname "$0")/lib"\n', { mode: 0o755 });
    writeFileSync(join(repo.path, "hooks/lib"), `${text}\n`);
  },
};

describe.each(Object.entries(SUPPLIES))("a lane of a repository with a %s", (_name, supply) => {
  it("runs it exactly while its present content is trusted, in any order of changes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("trust", "revoke", "one", "two", "back"), { minLength: 3, maxLength: 6 }),
        async (steps) => {
          const repo = new TestRepository();
          try {
            const store = openTrustStore(join(repo.top, "gantry"));
            const git = new Git(testGitEnvironment, store);
            const canary = join(repo.top, "canary");
            const command = (version: string) => `echo ${version} >> '${canary}'`;
            repo.commit({ "a.txt": "a\n" });
            let [version, trusted] = ["one", undefined as string | undefined];
            supply(repo, command(version));
            for (const [at, step] of steps.entries()) {
              if (step === "trust") {
                store.trust(repo.path, await git.listPrograms(repo.path));
                trusted = version;
              } else if (step === "revoke") {
                store.revoke(repo.path);
                trusted = undefined;
              } else {
                version = step === "back" ? (trusted ?? version) : step;
                supply(repo, command(version));
              }
              rmSync(canary, { force: true });
              const tree = { path: join(repo.top, `lane${at}`), commit: "HEAD" };
              const { withheld } = await addWorktree(git, repo.path, tree);
              const effects = ran(canary).filter(Boolean);
              expect([steps, at, effects]).toEqual([steps, at, trusted === version ? [version] : []]);
              expect(withheld.length > 0).toBe(trusted !== version);
            }
          } finally {
            repo.remove();
          }
        },
      ),
      { numRuns: 4 },
    );
  });
});
