import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack, Outcome } from "../attack.ts";
import { type HostileRepository, outcomeOf, type RepositoryWorkbench } from "./workbench.ts";

const HOOKS = [
  "post-checkout",
  "post-index-change",
  "reference-transaction",
  "fsmonitor-watchman",
  "pre-commit",
  "post-commit",
  "post-merge",
  "pre-auto-gc",
];

/** Settings that name a program, with the attributes that make git use it. */
const SETTINGS: readonly (readonly [key: string, attributes?: string])[] = [
  ["core.fsmonitor"],
  ["core.sshCommand"],
  ["core.pager"],
  ["core.editor"],
  ["core.askPass"],
  ["core.alternateRefsCommand"],
  ["core.gitProxy"],
  ["filter.evil.clean", "* filter=evil"],
  ["filter.evil.smudge", "* filter=evil"],
  ["filter.evil.process", "* filter=evil"],
  ["filter.a=b.smudge", "* filter=a=b"],
  ["diff.external"],
  ["diff.evil.textconv", "* diff=evil"],
  ["diff.evil.command", "* diff=evil"],
  ["merge.evil.driver", "* merge=evil"],
  ["gpg.program"],
  ["credential.helper"],
  ["pager.status"],
  ["alias.status"],
  ["uploadpack.packObjectsHook"],
  ["interactive.diffFilter"],
  ["sequence.editor"],
];

function setConfig(repository: HostileRepository, key: string, attributes = ""): void {
  const command = `${repository.trace(key)}; cat`;
  repository.git("config", key, key.startsWith("alias.") ? `!${command}` : command);
  if (attributes !== "") writeFileSync(join(repository.path, ".git/info/attributes"), `${attributes}\n`);
  repository.write({ "a.txt": "two\n" });
}

const plants: Record<string, (repository: HostileRepository) => void> = {
  ...Object.fromEntries(
    SETTINGS.map(([key, attributes]) => [key, (it: HostileRepository) => setConfig(it, key, attributes)]),
  ),
  ...Object.fromEntries(
    HOOKS.map((hook) => [
      `hook ${hook}`,
      (it: HostileRepository) => it.write({ [`.git/hooks/${hook}`]: it.script(hook) }),
    ]),
  ),
  "core.hooksPath in the work tree": (repository) => {
    repository.commit({ "hooks/post-checkout": repository.script("hooksPath") });
    repository.git("config", "core.hooksPath", "hooks");
  },
  "hooks folder that is a link": (repository) => {
    repository.write({ "tools/post-checkout": repository.script("linked") });
    repository.git("config", "core.hooksPath", ".git/linked");
    symlinkSync(join(repository.path, "tools"), join(repository.path, ".git/linked"));
  },
  "included configuration": (repository) => {
    repository.write({ ".evil": `[filter "evil"]\n\tsmudge = "${repository.trace("included")}; cat"\n` });
    repository.git("config", "include.path", "../.evil");
    writeFileSync(join(repository.path, ".git/info/attributes"), "* filter=evil\n");
  },
  "configuration included on a condition": (repository) => {
    repository.write({ ".evil": `[filter "evil"]\n\tsmudge = "${repository.trace("includeIf")}; cat"\n` });
    repository.git("config", "includeIf.onbranch:**.path", join(repository.path, ".evil"));
    writeFileSync(join(repository.path, ".git/info/attributes"), "* filter=evil\n");
  },
  "configuration of a work tree": (repository) => {
    repository.git("config", "extensions.worktreeConfig", "true");
    const text = `[filter "evil"]\n\tsmudge = "${repository.trace("worktree")}; cat"\n\tclean = "${repository.trace("worktree")}; cat"\n`;
    appendFileSync(join(repository.path, ".git/config.worktree"), text);
    writeFileSync(join(repository.path, ".git/info/attributes"), "* filter=evil\n");
    repository.write({ "a.txt": "two\n" });
  },
  "nested repository as a submodule": (repository) => {
    const nested = join(repository.path, "nested");
    mkdirSync(nested);
    repository.gitIn(nested, "init", "-q", "-b", "main");
    writeFileSync(join(nested, "b.txt"), "one\n");
    repository.gitIn(nested, "add", "-A");
    repository.gitIn(nested, "commit", "-q", "-m", "one");
    repository.commit();
    repository.gitIn(nested, "config", "filter.evil.clean", `${repository.trace("nested")}; cat`);
    repository.gitIn(nested, "config", "core.fsmonitor", repository.trace("nested fsmonitor"));
    writeFileSync(join(nested, ".git/info/attributes"), "* filter=evil\n");
    writeFileSync(join(nested, "b.txt"), "two\n");
  },
};

/** A look at the repository, and a session with checkpoints in it. */
async function attempt(bench: RepositoryWorkbench, name: string): Promise<Outcome> {
  const repository = bench.repository(name);
  plants[name]?.(repository);
  await bench.look(repository);
  return outcomeOf(repository);
}

async function attemptAll(bench: RepositoryWorkbench): Promise<Outcome> {
  const repository = bench.repository("all");
  for (const [key] of SETTINGS) setConfig(repository, key);
  for (const hook of HOOKS) repository.write({ [`.git/hooks/${hook}`]: repository.script(hook) });
  const attributes = "* filter=evil diff=evil merge=evil\n*.ts filter=a=b\n";
  writeFileSync(join(repository.path, ".git/info/attributes"), attributes);
  await bench.session(repository.path);
  await bench.look(repository);
  return outcomeOf(repository);
}

/** What git would run on behalf of the daemon. */
export function gitAttacks(bench: RepositoryWorkbench): Attack[] {
  const name = "all settings and hooks, with a session and its checkpoints";
  return [
    ...Object.keys(plants).map((plant) => ({ name: plant, class: "daemon's git", run: () => attempt(bench, plant) })),
    { name, class: "daemon's git", run: () => attemptAll(bench) },
  ];
}
