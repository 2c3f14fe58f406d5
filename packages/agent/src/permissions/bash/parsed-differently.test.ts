import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../decide.ts";
import { classify } from "./classify.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-parsed-")));
const cwd = join(home, "repository");
afterAll(() => rmSync(home, { recursive: true, force: true }));
mkdirSync(join(cwd, "sub"), { recursive: true });
for (const name of [".netrc", "repository/a.txt", "repository/sub/c.txt"]) writeFileSync(join(home, name), "x\n");
symlinkSync("..", join(cwd, "up"));
symlinkSync("../.netrc", join(cwd, "link"));

function isFree(command: string, at = cwd): boolean {
  const env = { HOME: home };
  const { actions } = classify(command, { cwd, folders: [], at, env });
  return decide("plan", actions, { cwd, folders: [], env }, [], { person: true }).verdict === "allow";
}

/** For each class, commands that do more than they seem to. `¶` is a line break. */
const CLASSES: Readonly<Record<string, string>> = {
  "a single quote in an expansion in double quotes": `
    echo "\${x:-'}" ; touch pwned; echo "'}"
    echo "a\${x:+it's}b" ; touch pwned; echo "it's}"`,
  "a continued line in a here-document": String.raw`
    cat <<EOF¶foo\¶EOF¶echo '¶EOF¶touch pwned¶echo '
    cat <<-EOF¶foo\\\¶EOF¶echo '¶EOF¶touch pwned¶echo '`,
  "a redirection that sets a variable": `
    ls {PATH}</dev/null; ls
    cat {PATH}<a.txt && ls`,
  "a file opened again through its descriptor": `
    echo x 3< a.txt > /dev/fd/3
    echo x < a.txt > /dev/fd/0
    echo x 2< a.txt > /dev/stderr
    echo x < a.txt 2>&0 > /dev/stderr
    exec 2< a.txt; echo x > /dev/stderr
    { echo x > /dev/stderr; } 2< a.txt`,
  "an argument in an arithmetic expansion": `
    bash -c 'echo $(($1))' x 'a[$(touch pwned)]'
    bash -c 'echo "$(( $@ + 1 ))"' x 'a[$(touch pwned)]'`,
  "one harmful value of several": String.raw`
    for v in show delete; do git reflog $v HEAD@{0}; done
    for x in +%s 010100002020; do date $x; done
    for d in passwd shadow; do getent $d; done
    for v in show flush; do ip route $v; done
    for f in a.txt '+!./x'; do less "$f"; done
    for s in 'a\' 'w pwned'; do sed "$s" a.txt; done
    for f in %h '%G?'; do git log --format="$f"; done`,
  "a count that is written to a variable": `
    printf 'x%ln' PATH; ls
    printf 'x%hhn' PATH; ls
    printf 'x%-5lln' PATH; ls`,
  "a pattern with a class or another case": `
    cat ../.[[:alpha:]]etrc
    cat ../.[]n]etrc
    cat ../.[!]a]etrc
    head ../.[[.n.]]etrc
    for f in ../.[[:alpha:]]etrc; do cat "$f"; done
    shopt -s nocaseglob; cat ../.NETR*`,
  "a link to a folder that contains secrets": `
    grep -rh . up
    grep -rh . up/
    grep -Rh . .
    find up/ -type f -exec cat {} +
    find -L . -type f -exec cat {} +
    cd up; grep -rh . .
    diff -r up sub
    git diff --no-index up sub`,
  "a list that is printed differently": String.raw`
    echo -e '..\x2f.netrc' | xargs cat
    cat $(echo -e '\x2e\x2e/.net\x72c')
    echo '../.net\rc' | xargs cat
    echo "../.net''rc" | xargs cat
    echo ../.netrcx | head -c 9 | xargs cat
    echo x/../.netrc | tail -c 10 | xargs cat
    echo x../.netrc | grep --only-matching '\.\./.*' | xargs cat
    git show --name-only | xargs cat
    cat $(git rev-parse link)`,
  "a variable that bash sets itself": `
    REPLY=a.txt; read <<< ../.netrc; cat $REPLY
    _=a.txt; echo ../.netrc; cat $_
    OLDPWD=/usr; cd ..; cd repository; cat "$OLDPWD/.netrc"
    bash -c 'x=a.txt; for x; do cat "$x"; done' _ ../.netrc`,
  "a variable that may be unset": `
    sed $x 'w pwned' a.txt; x=p
    x=p; unset x; sed $x 'w pwned' a.txt
    if false; then x=p; fi; sed $x 'w pwned' a.txt
    false && x=p; sed $x 'w pwned' a.txt
    true || x=p; sed $x 'w pwned' a.txt
    (x=p); sed $x 'w pwned' a.txt
    { x=p; } | cat; sed $x 'w pwned' a.txt
    x=p true; sed $x 'w pwned' a.txt
    x=p | true; sed $x 'w pwned' a.txt
    x=p & sed $x 'w pwned' a.txt
    echo p | read x; sed $x 'w pwned' a.txt
    select x in p; do break; done < /dev/null; sed $x 'w pwned' a.txt
    while false; do x=p; done; sed $x 'w pwned' a.txt
    cat "\${x}link"; x=n
    x=n; unset x; cat "\${x}link"`,
  "arguments or names from a file": `
    strings @list.txt
    nm @list.txt
    size @list.txt
    readelf -a @list.txt
    file -m magic link
    tree --fromfile link
    tar -tf archive.tar -T list
    git config -f x.cfg --includes -l`,
  "a program that does more with its operand": `
    yq e 'load("../.netrc")'
    lsof -i@127.0.0.1
    tsc --noEmit --incremental false`,
};

describe("commands that bash or a program reads differently", () => {
  const cases = Object.entries(CLASSES).flatMap(([about, text]) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .map((line) => [about, line] as const),
  );
  it.each(cases)("asks because of %s: %s", (_, command) => expect(isFree(command.replaceAll("¶", "\n"))).toBe(false));

  it.each([
    "x=p; sed -n $x a.txt",
    'for f in a.txt sub/c.txt; do sed -n 1p "$f"; done',
    "echo warning > /dev/stderr",
    "ls missing 2>&1 | head -5",
    'f=a.txt; head -n 3 "$f"; wc -l $f',
    "cat <<EOF¶text $(pwd)¶EOF",
    "grep -rn x sub",
    "cat *.[ct]*",
    "printf '%s\\n' x",
    "strings a.txt",
  ])("stays free: %s", (command) => expect(isFree(command.replaceAll("¶", "\n"))).toBe(true));

  it("asks in a repository whose git data are not where a simple reading finds them", () => {
    const evil = join(cwd, "linked.git");
    execFileSync("git", ["init", "-q", "--bare", evil], { stdio: "pipe" });
    execFileSync("git", ["-C", evil, "config", "diff.x.textconv", "./x"], { stdio: "pipe" });
    expect(isFree("git status", evil)).toBe(false);
    rmSync(join(evil, "HEAD"));
    symlinkSync("refs/heads/none", join(evil, "HEAD"));
    expect(isFree("git status", evil)).toBe(false);
    const redirected = join(cwd, "redirected");
    mkdirSync(join(redirected, "plain\n.."), { recursive: true });
    writeFileSync(join(redirected, ".git"), "gitdir: plain\n../evil\n");
    execFileSync("cp", ["-r", evil, join(redirected, "plain\n..", "evil")]);
    expect(isFree("git status", redirected)).toBe(false);
  });
});
