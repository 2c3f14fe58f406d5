import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { redactOwnerToken } from "../secrets/owner-token.ts";
import type { Action } from "./action.ts";
import { classify } from "./bash/classify.ts";
import { decide, PERMISSION_MODES } from "./decide.ts";
import { grantsFor, isGranted } from "./grants.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "gantry-guarded-")));
const gantry = join(root, "user/.gantry");
const cwd = join(root, "user/app");
const env = { HOME: join(root, "user"), GANTRY_HOME: gantry };
const place = { cwd, folders: [], env };
const token = "t0kenOfTheOwner_abcdefghijklmnopqrstuvwxyz";
for (const folder of [join(gantry, "lanes/a"), join(gantry, "uploads"), cwd]) mkdirSync(folder, { recursive: true });
writeFileSync(join(gantry, "token"), `${token}\n`);
symlinkSync(gantry, join(cwd, "link"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const verdict = (mode: (typeof PERMISSION_MODES)[number], actions: Action[], where = place, person = true) =>
  decide(mode, actions, where, [], { person }).verdict;

describe("Gantry's own folders", () => {
  it.each([
    "cat $GANTRY_HOME/token",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash's
    'cat "${GANTRY_HOME}/token"',
    "cat ~/.gantry/token",
    "cat $HOME/.gantry/token",
    "cat ../.gantry/token",
    "cat ~/.gan*/token",
    "cat ~/.[g]antry/tok*",
    "cat ~/.{gantry,x}/token",
    "cat link/token",
    "cd ~/.gantry && cat token",
    "cd $GANTRY_HOME; head -1 token",
    "cat < $GANTRY_HOME/token",
    "find $GANTRY_HOME -name token -exec cat {} +",
    "git diff --no-index /dev/null $GANTRY_HOME/token",
    "grep -r . $GANTRY_HOME",
  ])("are not read without a question: %s", (command) => {
    const { actions } = classify(command, place);
    for (const mode of PERMISSION_MODES) {
      expect(verdict(mode, actions), mode).not.toBe("allow");
      expect(verdict(mode, actions, place, false), mode).toBe("deny");
    }
  });

  it("are not changed without a question, even from a parent folder", () => {
    const around = { cwd: env.HOME, folders: [], env };
    const write: Action[] = [{ kind: "file.write", path: join(gantry, "spool/x/in") }];
    expect(PERMISSION_MODES.map((mode) => verdict(mode, write, around))).toEqual(["deny", "ask", "ask", "ask"]);
    const { actions } = classify("echo x > $GANTRY_HOME/spool/x/in", around);
    expect(PERMISSION_MODES.map((mode) => verdict(mode, actions, around))).toEqual(["deny", "ask", "ask", "ask"]);
  });

  it("do not include a lane or an upload below them that the session works with", () => {
    const lane = { cwd: join(gantry, "lanes/a"), folders: [], env };
    expect(verdict("plan", [{ kind: "file.read", path: join(lane.cwd, "f") }], lane)).toBe("allow");
    expect(verdict("auto-edit", [{ kind: "file.write", path: join(lane.cwd, "f") }], lane)).toBe("allow");
    expect(verdict("plan", [{ kind: "file.read", path: join(gantry, "lanes/b/f") }], lane)).toBe("ask");
    expect(verdict("plan", [{ kind: "file.read", path: join(gantry, "uploads/1/a.png") }])).toBe("allow");
    expect(verdict("plan", classify("cat $HOME/app/a *.txt ~/notes", place).actions)).toBe("allow");
  });
});

describe("git's own data", () => {
  it("is changed only after a question, in every mode but full-auto", () => {
    for (const path of [".git/config", ".git", "sub/.git/hooks/x", ".GIT/config"]) {
      const write: Action[] = [{ kind: "file.write", path: join(cwd, path) }];
      expect(PERMISSION_MODES.map((mode) => verdict(mode, write), path)).toEqual(["deny", "ask", "ask", "allow"]);
    }
    expect(verdict("auto-edit", [{ kind: "file.write", path: join(cwd, ".gitignore") }])).toBe("allow");
  });

  it("is not covered by a grant for the folder around it", () => {
    const grants = grantsFor([{ kind: "file.write", path: join(cwd, "a.txt") }]);
    expect(isGranted({ kind: "file.write", path: join(cwd, "b.txt") }, grants)).toBe(true);
    expect(isGranted({ kind: "file.write", path: join(cwd, ".git/config") }, grants)).toBe(false);
  });
});

describe("options of programs that run others", () => {
  it.each([
    "command rm -rf sub -v",
    "command git push --force -v",
    "command -p rm -rf sub -V",
    "command -- rm -rf sub -v",
    "env rm x -S ls",
    "env -iu cat rm x",
    "env --unset cat touch x",
    "env --unset=cat touch x",
    "nice touch x -n 5",
    "timeout --signal KILL 5 touch x",
    "timeout 5 touch --version -v",
    "xargs --process-slot-var cat touch x",
    "xargs touch -n 1 cat",
    "nohup touch x --version",
    "/usr/bin/time -o out ls",
    "stdbuf --output L touch x",
    "setsid -w touch x",
    "builtin command touch x -v",
    "command env command touch x -v",
  ])("do not make another program's change a read: %s", (command) => {
    expect(classify(command, place).worst).not.toBe("bash.readonly");
  });

  it.each(["command -v node", "command -pV node npm", "command ls -v", "env -u A -C sub ls", "timeout -k 1 5 ls -v"])(
    "still count as reads: %s",
    (command) => expect(classify(command, place).worst).toBe("bash.readonly"),
  );
});

describe("the owner's token", () => {
  it("is taken out of every text, also when it comes in pieces", () => {
    const owner = redactOwnerToken(env);
    const output = { content: [{ type: "text", text: `a ${token} b` }], details: { deep: [token] } };
    expect(JSON.stringify(owner.redact(output))).not.toContain(token);
    const taken: string[] = [];
    const stream = owner.stream((text) => taken.push(text));
    for (const piece of [`x ${token.slice(0, 9)}`, token.slice(9, 20), `${token.slice(20)} y`]) stream.push(piece);
    expect(taken.join("")).toBe("x [secret] y");
  });
});
