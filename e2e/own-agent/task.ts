import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { canaries, type ScriptedModel } from "@gantry/testkit";

type Json = Record<string, unknown>;

const USER = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};

/** The environment that gives commits an author. */
export const taskEnvironment: Readonly<Record<string, string>> = USER;

/** The file with the bug also holds a secret that no model may see. */
const SUM = `// ${canaries.file}
export function sum(list) {
  return list.reduce((a, b) => a - b);
}
`;
const FIXED = SUM.replace("a - b)", "a + b, 0)");

const TESTS = `import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "../src/sum.js";

before(async () => {
  writeFileSync(".held/tests", "");
  while (existsSync(".held/hold")) await sleep(20);
});
test("numbers", () => assert.equal(sum([1, 2, 3]), 6));
test("nothing", () => assert.equal(sum([]), 0));
`;

const HOOK = "#!/bin/sh\n: > .held/commit\nwhile [ -e .held/hold ]; do sleep 0.02; done\n";

/** Commands that can be held: the test run and the commit. */
export type Held = "tests" | "commit";

/** A repository with a bug, a test that finds it, and a way to hold commands that run in it. */
export class TaskRepository {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    const files = { "package.json": '{"type":"module"}\n', "src/sum.js": SUM, "test/sum.test.js": TESTS };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
    this.git("init", "--quiet", "--initial-branch", "main");
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "Begin");
    mkdirSync(join(path, ".held"));
    writeFileSync(join(path, ".git/info/exclude"), ".held\n");
    writeFileSync(join(path, ".git/hooks/pre-commit"), HOOK, { mode: 0o755 });
  }

  /** From now on, tests and commits start and then wait for `release`. */
  hold(): void {
    for (const name of ["tests", "commit"]) rmSync(join(this.path, ".held", name), { force: true });
    writeFileSync(join(this.path, ".held/hold"), "");
  }

  isHeld(what: Held): boolean {
    return existsSync(join(this.path, ".held", what));
  }

  release(): void {
    rmSync(join(this.path, ".held/hold"), { force: true });
  }

  git(...args: string[]): string {
    const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...USER };
    return execFileSync("git", args, { cwd: this.path, env, encoding: "utf8", stdio: "pipe" }).trim();
  }

  /** The visible state of the repository. */
  outcome() {
    const tests = execFileSync(process.execPath, ["--test"], { cwd: this.path, encoding: "utf8", stdio: "pipe" });
    return {
      commits: this.git("log", "--reverse", "--format=%s").split("\n"),
      changed: this.git("status", "--porcelain"),
      fixed: readFileSync(join(this.path, "src/sum.js"), "utf8") === FIXED,
      passing: /^# pass 2$|^ℹ pass 2$/m.test(tests),
    };
  }
}

export const FIXED_ONCE = { commits: ["Begin", "Fix sum"], changed: "", fixed: true, passing: true };

/** Checks the requests to the model: each call must be followed directly by one result. */
export function findRequestFaults(model: ScriptedModel): string[] {
  return model.requests().flatMap(({ body }, at) => {
    const faults: string[] = [];
    let open: string[] = [];
    for (const message of (body.messages ?? []) as Json[]) {
      if (message.role === "tool") {
        const id = String(message.tool_call_id);
        if (!open.includes(id)) faults.push(`request ${at}: a result of ${id} without a call`);
        open = open.filter((each) => each !== id);
        continue;
      }
      if (open.length > 0) faults.push(`request ${at}: ${open.join(", ")} without a result`);
      open = message.role === "assistant" ? ((message.tool_calls ?? []) as Json[]).map(({ id }) => String(id)) : [];
    }
    return open.length > 0 ? [...faults, `request ${at}: ${open.join(", ")} without a result`] : faults;
  });
}

/** The path of the session file. Throws unless there is exactly one. */
export function sessionFile(agentDir: string, id: string): string {
  const folder = join(agentDir, "sessions");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const found = files.filter((name) => name.endsWith(".jsonl") && name.includes(id));
  if (found.length !== 1) throw new Error(`files of ${id}: ${found.join(", ") || "none"}`);
  return join(folder, found[0] ?? "");
}

export type TaskCall = { name: string; args: string; isError: boolean; text: string };

/** Reads all calls of a session file. Throws for an incomplete line or an entry without a parent. */
export function callsInFile(path: string): TaskCall[] {
  const text = readFileSync(path, "utf8");
  if (!text.endsWith("\n")) throw new Error("the last line is incomplete");
  const [header, ...entries] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
  if (header?.type !== "session") throw new Error("there is no header");
  const ids = new Set<unknown>([null]);
  const calls = new Map<string, Json>();
  const done: TaskCall[] = [];
  for (const { id, parentId, message } of entries) {
    if (!ids.has(parentId)) throw new Error(`${id} has no parent`);
    ids.add(id);
    const { role, content, toolCallId, isError } = (message ?? {}) as Json;
    const blocks = Array.isArray(content) ? (content as Json[]) : [];
    if (role === "assistant") {
      for (const call of blocks.filter(({ type }) => type === "toolCall")) calls.set(String(call.id), call);
    }
    if (role !== "toolResult") continue;
    const call = calls.get(String(toolCallId));
    if (!call) throw new Error(`a result of ${toolCallId} without a call`);
    calls.delete(String(toolCallId));
    const output = blocks.map((block) => String(block.text ?? "")).join("");
    done.push({
      name: String(call.name),
      args: JSON.stringify(call.arguments),
      isError: isError === true,
      text: output,
    });
  }
  if (calls.size > 0) throw new Error(`without a result: ${[...calls.keys()].join(", ")}`);
  return done;
}

/** Calls that were repeated although the earlier call did not end with an unknown outcome. */
export function findRepeatedCalls(calls: readonly TaskCall[]): string[] {
  const settled = new Set<string>();
  return calls.flatMap(({ name, args, text, isError }, at) => {
    const call = `${name} ${args}`;
    const changed = calls.slice(0, at).some((other) => other.name === "edit" && !other.isError);
    const again = settled.has(call) && !(name === "bash" && changed);
    if (!/outcome is unknown/.test(text) && !isError) settled.add(call);
    return again ? [call] : [];
  });
}
