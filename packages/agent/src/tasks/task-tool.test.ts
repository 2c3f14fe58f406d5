import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent } from "../contract/events.ts";
import type { AgentSession } from "../contract/session.ts";
import type { ToolContext } from "../contract/tool.ts";
import { type Assignment, type TaskParts, taskTool } from "./task-tool.ts";

type Work = (text: string, assignment: Assignment) => Promise<string> | string;

/** A subagent without a model: `work` supplies its behaviour and its answer. */
class FakeSubagent {
  answer = "";
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
    void Promise.race([this.#work(text, this.#assignment), stopped]).then((answer) => {
      this.answer = answer ?? "";
      const reason = answer === undefined ? "aborted" : "completed";
      for (const listener of this.#listeners) listener({ type: "agent_settled", reason });
    });
    return "started";
  }
  async abort(): Promise<void> {
    this.#stop?.();
  }
  lastAssistantText = () => this.answer;
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

  type More = Partial<Pick<TaskParts, "depth" | "parentId" | "maxConcurrency" | "maxRuntimeMs" | "inheritance">>;
  function tool(work: Work, more: More = {}) {
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
  async function call(
    of: ReturnType<typeof tool>,
    args: unknown,
    signal = new AbortController().signal,
    cwd = folder,
    env = {},
  ) {
    const place = { cwd, folders: [], env };
    const prepared = of.prepare(args, place);
    if ("invalid" in prepared) throw new Error(prepared.invalid);
    const artifacts: string[] = [];
    const keep = async (text: string) => `artifact://${artifacts.push(text)}`;
    const context = { ...place, callId: "c", signal, progress: () => {}, keep } as unknown as ToolContext;
    const output = await prepared.run(context);
    const [block] = output.content;
    return { text: block?.type === "text" ? block.text : "", isError: output.isError, artifacts };
  }

  it("gives each subagent an id and runs them concurrently", async () => {
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

  it("prefixes nested ids and limits the depth", async () => {
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

  it("repeats the request until the answer matches the schema, with a limit", async () => {
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

  it("aborts all subagents when it is aborted", async () => {
    const stop = new AbortController();
    const never = () => new Promise<string>(() => {});
    const done = call(tool(never), { tasks: [{ assignment: "a" }, { assignment: "b" }] }, stop.signal);
    while (sessions.length < 2) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(done).rejects.toThrow();
  });

  it("stops a subagent at its time limit with a reason, without affecting the others", async () => {
    const work: Work = (text) => (text === "slow" ? new Promise(() => {}) : "quick");
    const tasks = [{ assignment: "slow" }, { assignment: "fast" }];
    const { text, isError } = await call(tool(work, { maxRuntimeMs: 200 }), { tasks });
    expect(text).toContain("## 0-Task (failed)\nThe subagent was stopped after 200 ms");
    expect(text).toContain("## 1-Task (completed)\nquick");
    expect(isError).toBeUndefined();
  });

  it("passes on its conversation only as requested and only if enabled", async () => {
    const received: string[] = [];
    const work: Work = (text) => {
      received.push(text);
      return "ok";
    };
    const messages = () => [{ role: "user" as const, content: "the heron", timestamp: 1 }];
    const tasks = [{ assignment: "a" }, { assignment: "b", inheritContext: "bounded" }];
    const inheritance = { maxMessages: 50, maxTokens: 0, messages };
    await call(tool(work, { inheritance, maxConcurrency: 1 }), { tasks, context: "For all." });
    expect(received[0]).toBe("For all.\n\na");
    expect(received[1]).toMatch(/<conversation>\n.*the heron\n<\/conversation>\n\nFor all\.\n\nb$/s);
    await expect(call(tool(work), { tasks })).rejects.toThrow("task.forkContext.enabled is off");
    expect(received).toHaveLength(2);
  });

  describe("in a lane", () => {
    const lane = { id: "lan_1", name: "task-0-Task", path: "/lanes/one", branch: "gantry/one", ahead: 0, missing: [] };
    let daemon: Server;
    const seen: string[] = [];
    let states: object[];
    beforeEach(async () => {
      seen.length = 0;
      execFileSync("git", ["init", "-q"], { cwd: folder });
      daemon = createServer((request, response) => {
        seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
        const state = states.shift() ?? {};
        response.statusCode = "error" in state ? 403 : 200;
        response.end(JSON.stringify("error" in state ? state : { ...lane, state: "ready", changes: 0, ...state }));
      });
      await new Promise<void>((resolve) => daemon.listen(0, "127.0.0.1", resolve));
    });
    afterEach(() => new Promise((resolve) => daemon.close(resolve)));
    const env = () => ({
      GANTRY_URL: `http://127.0.0.1:${(daemon.address() as AddressInfo).port}`,
      GANTRY_TOKEN: "gst_1",
    });

    it("waits for the lane, works in it, and reports its changes", async () => {
      states = [{ state: "creating" }, { state: "creating" }, {}, { changes: 2, ahead: 1 }];
      const work: Work = (_text, { cwd }) => `worked in ${cwd}`;
      const { text } = await call(tool(work), { prompt: "x", lane: true }, undefined, folder, env());
      expect(text).toContain("worked in /lanes/one");
      expect(text).toContain(
        "the lane task-0-Task (branch gantry/one), which holds 2 changed files and 1 commit: /lanes/one",
      );
      expect(seen.map((line) => line.split("?")[0])).toEqual([
        "POST /v1/lanes Bearer gst_1",
        "GET /v1/lanes/lan_1 Bearer gst_1",
        "GET /v1/lanes/lan_1 Bearer gst_1",
        "GET /v1/lanes/lan_1 Bearer gst_1",
      ]);
    });

    it.each([
      [{ error: { code: "not_permitted", message: "An agent may not do this." } }, "An agent may not do this."],
      [{ state: "failed", missing: ["There is no commit yet."] }, "The lane was not created: There is no commit yet."],
    ])("fails with the daemon's message and starts no subagent", async (state, message) => {
      states = [state];
      const { text, isError } = await call(
        tool(() => "x"),
        { prompt: "x", lane: true },
        undefined,
        folder,
        env(),
      );
      expect([isError, text]).toEqual([true, expect.stringContaining(message)]);
      expect(sessions).toEqual([]);
    });

    it("is a copy of the repository if there is no daemon", async () => {
      const { text, isError } = await call(
        tool(() => "x"),
        { prompt: "x", lane: true },
      );
      expect([isError, text]).toEqual([true, expect.stringContaining("no commit yet")]);
    });
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

    it("includes uncommitted changes and applies its changes to the original", async () => {
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

    it("stores its changes as a patch if they conflict", async () => {
      const work: Work = (_text, { cwd }) => {
        writeFileSync(join(cwd, "a.txt"), "one\nby the subagent\n");
        writeFileSync(join(folder, "a.txt"), "somebody else\n");
        return "done";
      };
      const { text, artifacts } = await call(tool(work), { prompt: "x", isolated: true });
      expect(text).toContain("stored as a patch: artifact://1");
      expect(artifacts[0]).toContain("+by the subagent");
      expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("somebody else\n");
    });
  });
});
