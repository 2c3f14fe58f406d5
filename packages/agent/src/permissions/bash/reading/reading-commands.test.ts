import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decide } from "../../decide.ts";
import { classify } from "../classify.ts";
import { READING_COMMANDS } from "../testing/reading-commands.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-reading-")));
const home = join(root, "home");
const cwd = join(home, "app");
const place = { cwd, folders: [], env: { HOME: home, PATH: "/usr/bin:/bin" } };

function write(path: string, text = "x\n"): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

beforeAll(() => {
  for (const path of [
    "app/package.json",
    "app/src/a.ts",
    "app/.env",
    ".netrc",
    "other/notes.txt",
    "keys/server.pem",
    "dir/deep/er/.env",
  ])
    write(path);
  write("app/.git/HEAD", "ref: refs/heads/main\n");
  write("app/.git/config", '[core]\n\tbare = false\n[remote "origin"]\n\turl = x\n');
  write("app/.git/objects/x");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function verdict(command: string): string {
  const { actions, worst } = classify(command, place);
  const { verdict: decided } = decide("plan", actions, place, [], { person: true });
  return decided === "allow" && worst === "bash.readonly" ? "free" : decided;
}

describe("commands that look at a project", () => {
  it("are more than 450 different ones", () => expect(new Set(READING_COMMANDS).size).toBeGreaterThan(450));
  it.each(READING_COMMANDS)("need no question: %s", (command) => expect(verdict(command)).toBe("free"));
});

describe("secrets outside the folder", () => {
  beforeAll(() => {
    symlinkSync(join(home, ".netrc"), join(cwd, "link"));
    symlinkSync(join(home, "other"), join(cwd, "keys"));
  });
  it.each(
    String.raw`
    cat ~/.netrc
    cat ~/.net*
    cat ~/.[n]etrc
    cat ~/.netr?
    cat ~/.{netrc,x}
    cat ../.netrc
    cat $HOME/.netrc
    cat "$HOME"/.netrc
    cat < ~/.netrc
    cat link
    cat keys/../.netrc
    cat keys/../.net*
    cd keys && cat ../.netrc
    cd keys; cat ../.net*
    find keys/.. -name .netrc -exec cat {} +
    grep -rh . keys/..
    find ~ -name .netrc -execdir cat .netrc \;
    find . -exec sort + -o pwned \;
    find . -exec cat + ../.netrc \;
    echo ./canary | xargs --replace=ls ls
    echo ../.netrc | xargs --replace=x cat x
    tar tfv host:x
    LANGUAGE=../../x ls
    cat lin*
    head ~root/.netrc
    tail -n 5 ~/.netrc
    grep -rh . ~
    grep -rh . ..
    grep -R . .
    grep -r . ../keys
    grep -r . ../dir
    rg --hidden . ~
    rg -uuu . ~/
    rg . ../keys
    diff -r ~ .
    git diff --no-index /dev/null ../.netrc
    git diff /dev/null ../keys
    git grep --no-index . ~
    git -C .. diff --no-index /dev/null .netrc
    git -C / -C $HOME diff /dev/null .netrc
    git -C .. grep --no-index . .
    find ~ -type f -exec cat {} +
    find ~ -name .netrc | xargs cat
    find .. -name .netrc -exec grep . {} \;
    ls -a ~ | xargs -I{} cat ~/{}
    cat $(find ~ -name .netrc)
    cat $(echo ~/.netrc)
    echo ~/.netrc | xargs cat
    x=~/.netrc; cat $x
    x=a; while true; do cat "$x"; x=~/.netrc; done
    for f in ~/.net*; do cat "$f"; done
    for i in 1 2; do cat .netrc; cd ..; done
    cd ~; cat .netrc
    cd .. && cat .net*
    cd ~; echo "$(cat .netrc)"
    (cd /usr); cat ../.netrc
    cd $UNKNOWN; cat .netrc
    cat "$UNKNOWN"
    cat $UNKNOWN/x
    cat "$(cat list)"
    cat list | xargs cat
    xargs -a list cat
    while read -r f; do cat "$f"; done < list
    sed -n p ~/.netrc
    awk 1 ~/.netrc
    jq -R . ~/.netrc
    sort ~/.netrc
    wc -c $(ls ~/.netrc)
    cut -c1- ~/.netrc
    base64 ~/.netrc
    grep -f ~/.netrc a
    tar -tf ~/.netrc
    diff /dev/null ~/.netrc
    cat /proc/1/environ
    cat /proc/self/root/etc/../$HOME/.netrc
    cat /proc/$PPID/environ
    strings /proc/1/mem
    cat /dev/sda
    ps auxe
    ps e
    ps -u e
    ps axeww
    getent shadow
    git config -f ../.netrc --list
    jq -n 'import "x" as $x; $x'
    awk 'BEGIN{ARGV[1]="../.netrc";ARGC=2} 1' a
    awk 'BEGIN{while((getline l < "../.netrc")>0) print l}'
    sed 'r ../.netrc' a
  `
      .trim()
      .split("\n"),
  )("are not read without a question: %s", (command) => expect(verdict(command.trim())).not.toBe("free"));

  it.each([
    "cat .env",
    "grep -r . .",
    "cat ../other/notes.txt",
    "grep -r . ../other",
    "cat ../other/*",
    "cat src/*.ts",
    "cd ../other && cat n*",
  ])("do not make other files secret: %s", (command) => expect(verdict(command)).toBe("free"));
});

describe("repositories whose configuration names programs", () => {
  it.each([
    "[core]\n\tfsmonitor = ./x",
    "[core]\n\tfsmonitor = true",
    "[core] pager = ./x",
    "[CORE]\n\tFSMonitor=./x",
    "# comment \\\n[core]\n\tfsmonitor = ./x",
    "[diff]\n\texternal = ./x",
    '[diff "a"]\n\ttextconv = ./x',
    '[diff "a"]\n\tcommand = ./x',
    '[filter "a"]\n\tclean = ./x',
    '[filter "lfs"]\n\tclean = ./git-lfs clean -- %f',
    "[include]\n\tpath = x",
    '[includeIf "gitdir:/"]\n\tpath = x',
    "[pager]\n\tstatus = ./x",
    "[gpg]\n\tprogram = ./x",
    "[log]\n\tshowSignature = true",
    '[remote "o"]\n\tpromisor = true',
    "[extensions]\n\tpartialClone = o",
    "[core]\n\tworktree = /root",
    "not a configuration",
  ])("ask for every git command: %s", (config) => {
    for (const [name, git] of Object.entries({ plain: ".git", bare: "", sub: ".git/modules/x" })) {
      const folder = join("hostile", name);
      write(join(folder, git, "HEAD"), "ref: refs/heads/main\n");
      write(join(folder, git, "objects/x"));
      write(join(folder, "deep/x"));
      rmSync(join(cwd, `to-${name}`), { force: true });
      symlinkSync(join(home, folder, name === "sub" ? git : "deep"), join(cwd, `to-${name}`));
      write(join(folder, git, "config"), `${config}\n`);
      const at = join(home, folder, name === "sub" ? git : "");
      for (const command of ["git status", "git log -1", "git diff"]) {
        expect(classify(command, { ...place, at }).worst, name).toBe("bash.mutating");
        expect(classify(`cd ${at} && ${command}`, place).worst, name).toBe("bash.mutating");
        expect(classify(`cd to-${name} && ${command}`, place).worst, name).toBe("bash.mutating");
        expect(classify(`git -C to-${name} ${command.slice(4)}`, place).worst, name).toBe("bash.mutating");
        expect(classify(`git -C ${at} ${command.slice(4)}`, place).worst, name).toBe("bash.mutating");
        expect(classify(`git --git-dir=${join(home, folder, git)} ${command.slice(4)}`, place).worst, name).toBe(
          "bash.mutating",
        );
      }
    }
  });
});
