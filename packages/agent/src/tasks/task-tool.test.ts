import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../events.ts";
import type { AgentSession } from "../session/port.ts";
import type { ToolContext } from "../tools/tool.ts";
import { type Assignment, taskTool } from "./task-tool.ts";

type Work = (text: string, assignment: Assignment) => Promise<string> | string;

/** A subagent without a model: it says and does what `work` says. */
class FakeSubagent {
  said = "";
  disposed = false;
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  readonly #work: Work;
  readonly #assignment: Assignment;
  #stop: (() => void) | undefined;

  constructor(assignment: Assignment, work: Work) {
    this.#assignment = assignment;
    this.#work = work;
  }
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  async prompt(text: string): Promise<"started"> {
    const stopped = new Promise<undefined>((resolve) => {
      this.#stop = () => resolve(undefined);
    });
    void Promise.race([this.#work(text, this.#assignment), stopped]).then((said) => {
      this.said = said ?? "";
      const reason = said === undefined ? "aborted" : "completed";
      for (const listener of this.#listeners) listener({ type: "agent_settled", reason });
    });
    return "started";
  }
  async abort(): Promise<void> {
    this.#stop?.();
  }
  lastAssistantText = () => this.said;
  async dispose(): Promise<void> {
    this.disposed = true;
  }
}

describe("task", () => {
  let folder: string;
  let sessions: FakeSubagent[];
  const outputs = new Map<string, string>();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gantry-task-"));
    sessions = [];
    outputs.clear();
  });
  afterEach(() => {
    expect(sessions.every(({ disposed }) => disposed)).toBe(true);
    rmSync(folder, { recursive: true });
  });

  function tool(work: Work, more: { depth?: number; parentId?: string; maxConcurrency?: number } = {}) {
    return taskTool({
      depth: 0,
      ...more,
      outputs,
      worktrees: join(folder, "worktrees"),
      async spawn(assignment) {
        const session = new FakeSubagent(assignment, work);
        sessions.push(session);
        return session as unknown as AgentSession;
      },
    });
  }
  async function call(of: ReturnType<typeof tool>, args: unknown, signal = new AbortController().signal, cwd = folder) {
    const place = { cwd, folders: [], env: {} };
    const prepared = of.prepare(args, place);
    if ("invalid" in prepared) throw new Error(prepared.invalid);
    const kept: string[] = [];
    const keep = async (text: string) => `artifact://${kept.push(text)}`;
    const context = { ...place, callId: "c", signal, progress: () => {}, keep } as unknown as ToolContext;
    const output = await prepared.run(context);
    const [block] = output.content;
    return { text: block?.type === "text" ? block.text : "", isError: output.isError, kept };
  }

  it("gives each its own id, and all of them time beside each other", async () => {
    let running = 0;
    let most = 0;
    const work: Work = async (text) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return `did ${text}`;
    };
    const tasks = ["ReadAll", "write tests", "c"].map((id) => ({ id, assignment: id }));
    const { text } = await call(tool(work, { maxConcurrency: 2 }), { tasks });
    expect([...outputs]).toEqual([
      ["0-ReadAll", "did ReadAll"],
      ["1-WriteTests", "did write tests"],
      ["2-C", "did c"],
    ]);
    expect(text).toContain("## 1-WriteTests (completed)");
    expect(most).toBe(2);
  });

  it("names those below it after itself, and goes no deeper than allowed", async () => {
    await call(
      tool(() => "ok", { depth: 1, parentId: "0-A" }),
      { prompt: "x", description: "b" },
    );
    expect([...outputs.keys()]).toEqual(["0-A.0-B"]);
    await expect(
      call(
        tool(() => "ok", { depth: 2 }),
        { prompt: "x" },
      ),
    ).rejects.toThrow("deeper than 2");
  });

  it("asks again until the answer fits the schema, and not for ever", async () => {
    const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const answers = ["none", '{"n":"1"}', '```json\n{"n":1}\n```'];
    const good = await call(
      tool(() => answers.shift() ?? ""),
      { prompt: "x", schema },
    );
    expect(good.isError).toBeUndefined();
    expect(outputs.get("0-Task")).toContain('{"n":1}');
    const bad = await call(
      tool(() => "never"),
      { prompt: "x", schema },
    );
    expect(bad).toMatchObject({ isError: true });
    expect(bad.text).toContain("it is not JSON");
    await expect(
      call(
        tool(() => ""),
        { prompt: "x", schema: { pattern: "a" } },
      ),
    ).rejects.toThrow("not supported");
  });

  it("aborts all of them when it is aborted", async () => {
    const stop = new AbortController();
    const never = () => new Promise<string>(() => {});
    const done = call(tool(never), { tasks: [{ assignment: "a" }, { assignment: "b" }] }, stop.signal);
    while (sessions.length < 2) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(done).rejects.toThrow();
  });

  describe("in a copy of the repository", () => {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" }).toString();
    beforeEach(() => {
      git("init", "-q");
      git("config", "user.email", "t@example.com");
      git("config", "user.name", "t");
      writeFileSync(join(folder, "a.txt"), "one\n");
      writeFileSync(join(folder, ".gitignore"), "worktrees\n");
      git("add", "--all");
      git("commit", "-qm", "first");
      writeFileSync(join(folder, "a.txt"), "one\nnot committed\n");
      writeFileSync(join(folder, "new.txt"), "new\n");
    });

    it("sees what is not committed, and brings its changes back", async () => {
      const seen: string[] = [];
      const work: Work = (_text, { cwd }) => {
        expect(cwd).not.toBe(folder);
        seen.push(readFileSync(join(cwd, "a.txt"), "utf8"), readFileSync(join(cwd, "new.txt"), "utf8"));
        writeFileSync(join(cwd, "a.txt"), "one\nnot committed\nthree\n");
        writeFileSync(join(cwd, "b.txt"), "b\n");
        return "done";
      };
      const before = git("status", "--porcelain");
      const { text } = await call(tool(work), { prompt: "x", isolated: true });
      expect(seen).toEqual(["one\nnot committed\n", "new\n"]);
      expect(text).toContain("Its changes were applied.");
      expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\nnot committed\nthree\n");
      expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("b\n");
      const linesOf = (text: string) => text.split("\n").filter(Boolean).sort();
      expect(linesOf(git("status", "--porcelain"))).toEqual(linesOf(`${before}?? b.txt`));
      expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
      expect(readdirSync(join(folder, "worktrees"))).toEqual([]);
    });

    it("keeps its changes as a patch when they do not fit any more", async () => {
      const work: Work = (_text, { cwd }) => {
        writeFileSync(join(cwd, "a.txt"), "one\nby the subagent\n");
        writeFileSync(join(folder, "a.txt"), "somebody else\n");
        return "done";
      };
      const { text, kept } = await call(tool(work), { prompt: "x", isolated: true });
      expect(text).toContain("kept as a patch: artifact://1");
      expect(kept[0]).toContain("+by the subagent");
      expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("somebody else\n");
    });
  });
});
