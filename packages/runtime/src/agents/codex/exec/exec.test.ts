import { expect, test } from "vitest";
import type { Channel, Frame, LaunchOptions } from "../../contract.ts";
import { eventsOf, framesOf, launch, ofKind, replay } from "../replay.ts";
import { exec } from "./channel.ts";

const channel = exec as unknown as Channel<unknown>;
const args = (options: Partial<LaunchOptions>) => channel.launch({ ...launch, ...options }).args;
const out = (msg: unknown): Frame => ({ dir: "out", msg });

test("never passes the prompt on the command line", () => {
  const prompt = { message: "msg_1", text: "secret prompt" };
  expect(args({ mode: "inherit", prompt })).toEqual(["exec", "--json", "--skip-git-repo-check", "-"]);
});

test("passes model, effort, mode and thread on the command line", () => {
  expect(args({ mode: "auto-edit", model: "m", effort: "high", resume: "t-1" })).toEqual([
    ...["exec", "--json", "--skip-git-repo-check", "-m", "m", "-c", 'model_reasoning_effort="high"'],
    ...["--ignore-rules", "-c", 'sandbox_mode="workspace-write"', "resume", "t-1", "-"],
  ]);
  expect(args({ mode: "ask" })).toContain('sandbox_mode="read-only"');
  expect(args({ mode: "plan" })).toContain('sandbox_mode="read-only"');
  expect(args({ mode: "full-auto" })).toContain("--dangerously-bypass-approvals-and-sandbox");
  expect(args({ mode: "inherit", resume: "t-1", fork: true }).slice(-3)).toEqual(["fork", "t-1", "-"]);
});

test("assigns the message of the process start to the turn", () => {
  const { outputs } = replay(channel, framesOf("exec_bash_ww"), { ...launch, prompt: { message: "msg_1", text: "x" } });
  expect(outputs).toContainEqual({ kind: "begin", messages: ["msg_1"] });
  expect(outputs).toContainEqual({ kind: "taken", message: "msg_1", inline: false });
  expect(eventsOf(outputs, "tool.ended")[0]?.data).toMatchObject({
    status: "ok",
    output: "hi-from-bash\n",
    exitCode: 0,
  });
});

test("gives items of two processes different ids", () => {
  const ids = ["aaaaaaaa-1", "bbbbbbbb-1"].map((uuid) => {
    const { outputs } = replay(channel, framesOf("exec_resume_1"), { ...launch, uuid });
    return eventsOf(outputs, "message.done").map(({ data }) => (data as { item: string }).item);
  });
  expect(ids).toEqual([["itm_aaaaaaaa.item_0"], ["itm_bbbbbbbb.item_0"]]);
});

test("does not count the tokens of a resumed thread as the turn's", () => {
  const [fresh] = ofKind(replay(channel, framesOf("exec_resume_1")).outputs, "finish");
  expect(fresh?.usage?.input).toBe(1500);
  const [resumed] = ofKind(replay(channel, framesOf("exec_resume_2"), { ...launch, resume: "t" }).outputs, "finish");
  expect(resumed?.usage).toBeUndefined();
  expect(resumed?.ext).toMatchObject({ threadUsage: { input: 3000 } });
});

test("reports errors as retries, and fails the turn only on turn.failed", () => {
  const { outputs } = replay(channel, framesOf("exec_err429once"));
  expect(ofKind(outputs, "retry")).toMatchObject([{ attempt: 1, max: 1, failure: { category: "rate_limit" } }]);
  expect(eventsOf(outputs, "error")).toEqual([]);
});

test("detects a denied patch on stderr", () => {
  const { outputs } = replay(channel, framesOf("exec_write_readonly"));
  expect(eventsOf(outputs, "notice")[0]?.data).toMatchObject({
    kind: "sandbox",
    text: expect.stringContaining("read-only sandbox"),
  });
});

test("reports a missing thread as lost without failing a turn", () => {
  const { outputs } = replay(channel, [
    { dir: "err", text: "Error: thread/resume failed: no rollout found for thread id t-1 (code -32600)" },
    { dir: "end", code: 1, signal: null },
  ]);
  expect(outputs.map(({ kind }) => kind)).toEqual(["lost"]);
});

test("explains a silent exit with the last error line", () => {
  const { outputs } = replay(channel, [
    { dir: "err", text: "Not inside a trusted directory and --skip-git-repo-check was not specified." },
    { dir: "end", code: 1, signal: null },
  ]);
  expect(ofKind(outputs, "begin")).toHaveLength(1);
  expect(ofKind(outputs, "finish")[0]?.error).toMatchObject({
    category: "crashed",
    message: expect.stringContaining("trusted"),
  });
  const login = replay(channel, [
    { dir: "err", text: "Not logged in" },
    { dir: "end", code: 1, signal: null },
  ]);
  expect(ofKind(login.outputs, "finish")[0]?.error?.category).toBe("auth");
});

test("publishes plans and MCP calls, and stores unknown lines as raw", () => {
  const { outputs } = replay(channel, [
    out({ type: "item.updated", item: { id: "0", type: "todo_list", items: [{ text: "a", completed: true }] } }),
    out({
      type: "item.completed",
      item: {
        id: "1",
        type: "mcp_tool_call",
        server: "s",
        tool: "t",
        status: "completed",
        result: { content: [], structured_content: { a: 1 } },
      },
    }),
    out({ type: "item.completed", item: { id: "2", type: "brand_new" } }),
    out({ type: "brand.new" }),
    out(null),
  ]);
  expect(eventsOf(outputs, "plan.updated")[0]?.data).toEqual({ entries: [{ text: "a", status: "completed" }] });
  expect(eventsOf(outputs, "tool.started")[0]?.data).toMatchObject({ mcp: { server: "s", tool: "t" } });
  expect(eventsOf(outputs, "tool.ended")[0]?.data).toMatchObject({ structured: { a: 1 } });
  expect(eventsOf(outputs, "raw")).toHaveLength(3);
});
