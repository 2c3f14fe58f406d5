import { describe, expect, it } from "vitest";
import type { AgentCommand, Channel, Frame, LaunchOptions, Output } from "../../contract.ts";
import { data, framesOf, launch, outputsOfKind, play } from "../../json-lines/recordings.fake.ts";
import { cursor } from "../descriptor.ts";
import { sdk } from "./channel.ts";
import type { SdkState } from "./state.ts";

const channel = sdk as unknown as Channel<SdkState>;
const out = (msg: object): Frame => ({ dir: "out", msg });
const written = (msg: object): Frame => ({ dir: "in", msg });
const ready = { type: "ready", agent_id: "agent-1", sdk: "1.0.32", model: "composer", mode: "agent", cloud: false };
const message = (more: object) => out({ dir: "message", msg: { agent_id: "agent-1", run_id: "run-1", ...more } });
const running = message({ type: "status", status: "RUNNING" });
const finished = out({ dir: "result", result: { id: "run-1", status: "finished", durationMs: 12 } });
const exit = (code: number): Frame => ({ dir: "end", code, signal: null });
const prompt = written({ id: "msg_1", type: "prompt", text: "hi" });
const text = (content: string) =>
  message({ type: "assistant", message: { content: [{ type: "text", text: content }] } });

function decode(frames: Frame[], options: Partial<LaunchOptions> = {}): { outputs: Output[]; state: SdkState } {
  return play(sdk, frames, { ...launch, ...options }) as { outputs: Output[]; state: SdkState };
}

function encode(command: AgentCommand, frames: Frame[] = [out(ready)]): unknown[] | undefined {
  return channel.encode(decode(frames).state, command)?.map(({ msg }) => msg);
}

const finish = (frames: Frame[]) => outputsOfKind(decode(frames).outputs, "finish").at(-1);

describe("opening", () => {
  it("reports the conversation, its model and the mode that the worker confirms", () => {
    expect(decode([out(ready)], { mode: "full-auto" }).outputs).toEqual([
      { kind: "ready", handle: "agent-1", model: "composer", mode: "full-auto", native: "agent" },
    ]);
    expect(decode([out({ ...ready, mode: "plan" })], { mode: "plan" }).outputs).toMatchObject([{ mode: "plan" }]);
  });

  it("reports no mode if the worker is not read-only although plan was requested", () => {
    const [first] = outputsOfKind(decode([out(ready)], { mode: "plan" }).outputs, "ready");
    expect(first).not.toHaveProperty("mode");
  });

  it("states that folder and mode do not apply to an agent in Cursor's cloud", () => {
    const { outputs } = decode([out({ ...ready, agent_id: "bc-1", cloud: true })], { mode: "plan" });
    expect(data(outputs, "notice")).toMatchObject([{ kind: "cloud", severity: "info" }]);
    expect(outputsOfKind(outputs, "ready")).toMatchObject([{ handle: "bc-1", native: "cloud" }]);
  });

  it.each([
    [{ name: "ConfigurationError", code: "unauthenticated", message: "API key is required for x." }, "auth"],
    [{ name: "AuthenticationError", status: 401, message: "Invalid API key" }, "auth"],
    [{ name: "RateLimitError", status: 429, message: "Slow down" }, "rate_limit"],
    [{ name: "NetworkError", message: "Network request failed (fetch failed)" }, "network"],
    [{ name: "NetworkError", status: 503, message: "Service trouble" }, "overloaded"],
    [{ name: "ConfigurationError", message: "unknown model x" }, "model_unavailable"],
    [{}, "unknown"],
  ])("classifies a failure to open: %j", (error, category) => {
    expect(finish([out({ type: "failed", error }), exit(1)])).toMatchObject({ outcome: "failed", error: { category } });
  });

  it("asks for a login when there is no key", () => {
    const error = { name: "ConfigurationError", code: "unauthenticated", message: "API key is required for x." };
    expect(finish([out({ type: "failed", error })])?.error?.message).toContain("CURSOR_API_KEY");
  });

  it("reports a conversation that does not exist as lost and starts no other", () => {
    const error = { name: "AgentNotFoundError", code: "agent_not_found", message: "Agent agent-9 not found" };
    const { outputs } = decode([out({ type: "failed", resume: "agent-9", error }), exit(1)]);
    expect(outputs).toEqual([{ kind: "lost", message: "Agent agent-9 not found" }]);
  });

  it("fails the turn with stderr when the worker exits before it is ready", () => {
    const frames: Frame[] = [{ dir: "err", text: "Cannot find module 'zod'" }, exit(1)];
    expect(finish(frames)).toMatchObject({ reason: "not started", error: { category: "crashed" } });
  });
});

describe("turns", () => {
  it("starts with the message that was sent and ends with the result of the run", () => {
    const { outputs } = decode([
      out(ready),
      prompt,
      out({ type: "response", id: "msg_1" }),
      running,
      text("Hello"),
      finished,
    ]);
    expect(outputs.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["ready", "prompted", "ack", "begin", "taken", "delta", "finish"]),
    );
    expect(outputsOfKind(outputs, "begin")).toEqual([{ kind: "begin", messages: ["msg_1"] }]);
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "completed", durationMs: 12 }]);
  });

  it("fails a second turn whose run never started", () => {
    const error = { name: "AgentBusyError", code: "agent_busy", message: "The agent is busy." };
    const second = [
      written({ id: "msg_2", type: "prompt", text: "again" }),
      out({ dir: "result", result: { status: "error", error } }),
    ];
    const { outputs } = decode([out(ready), prompt, running, text("Hello"), finished, ...second]);
    expect(outputsOfKind(outputs, "begin").map(({ messages }) => messages)).toEqual([["msg_1"], ["msg_2"]]);
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "completed" }, { outcome: "failed" }]);
  });

  it("is interrupted when the run was cancelled, or failed because of the cancellation", () => {
    const cancel = written({ id: "interrupt-2", type: "cancel" });
    const start = [out(ready), prompt, running, text("Hel"), cancel];
    for (const status of ["cancelled", "error"]) {
      expect(
        finish([...start, out({ dir: "result", result: { status, error: { message: "aborted" } } })]),
      ).toMatchObject({
        outcome: "interrupted",
      });
    }
  });

  it("fails with the exit of the worker during a run", () => {
    const frames: Frame[] = [out(ready), prompt, running, text("Hel"), { dir: "end", code: null, signal: "SIGKILL" }];
    expect(finish(frames)).toMatchObject({ outcome: "failed", error: { category: "crashed" } });
  });

  it("reads tool calls of every result shape", () => {
    const call = (call_id: string, name: string, args: object, result: object, status = "completed") => [
      message({ type: "tool_call", call_id, name, status: "running", args }),
      message({ type: "tool_call", call_id, name, status, args, result }),
    ];
    const diffString = "@@ -0,0 +1 @@\n+hello\n";
    const { outputs } = decode([
      out(ready),
      prompt,
      running,
      ...call("1", "edit", { path: "/p/a.txt" }, { status: "success", value: { diffString } }),
      ...call(
        "2",
        "shell",
        { command: "exit 3" },
        { status: "success", value: { stdout: "", stderr: "no", exitCode: 3 } },
      ),
      ...call("3", "read", { path: "/p/a.txt" }, { status: "error", error: { message: "not found" } }, "error"),
      ...call(
        "4",
        "mcp",
        { providerIdentifier: "lamp", toolName: "read_lamp", args: {} },
        { status: "success", value: { content: [{ text: { text: "lit" } }] } },
      ),
      finished,
    ]);
    expect(data(outputs, "tool.started").map(({ kind, name }) => [kind, name])).toEqual([
      ["edit", "edit"],
      ["execute", "shell"],
      ["read", "read"],
      ["other", "mcp__lamp__read_lamp"],
    ]);
    expect(data(outputs, "tool.ended")).toMatchObject([
      { status: "ok", changes: [{ path: "/p/a.txt", additions: 1 }] },
      { status: "error", exitCode: 3, output: "no" },
      { status: "error", output: "not found" },
      { status: "ok", output: "lit" },
    ]);
  });

  it("does not end a call or a run in a state that is not final", () => {
    const call = (status: string) =>
      message({ type: "tool_call", call_id: "1", name: "shell", status, args: { command: "ls" } });
    const { outputs } = decode([out(ready), prompt, running, call("pending"), call("running"), call("completed")]);
    expect(data(outputs, "tool.started")).toHaveLength(1);
    expect(data(outputs, "tool.ended")).toMatchObject([{ status: "ok" }]);
    const status = (name: string) => out({ type: "status", status: name, agent_id: "a", run_id: "r" });
    const bare = [status("QUEUED"), status("RUNNING"), status("PAUSED")];
    expect(outputsOfKind(decode(bare).outputs, "finish")).toEqual([]);
    expect(outputsOfKind(decode([...bare, status("CANCELLED")]).outputs, "finish")).toHaveLength(1);
  });

  it("streams the output of the running command", () => {
    const delta = (chunk: string) =>
      out({ dir: "delta", update: { type: "shell-output-delta", event: { case: "stdout", value: { data: chunk } } } });
    const start = message({
      type: "tool_call",
      call_id: "1",
      name: "shell",
      status: "running",
      args: { command: "ls" },
    });
    const { outputs } = decode([out(ready), prompt, running, start, delta("one\n"), delta("two\n")]);
    expect(outputsOfKind(outputs, "delta")).toMatchObject([
      { channel: "output", text: "one\n" },
      { channel: "output", text: "two\n" },
    ]);
  });

  it("does not throw for any line", () => {
    const odd = [
      null,
      3,
      "x",
      [],
      { dir: "message" },
      { dir: "result" },
      { dir: "delta", update: 1 },
      { type: "ready" },
    ];
    for (const msg of [
      ...odd,
      { dir: "message", msg: { type: "tool_call", result: 3 } },
      { type: "response", id: 4 },
    ]) {
      expect(() => decode([{ dir: "out", msg }, exit(0)])).not.toThrow();
    }
  });
});

describe("commands", () => {
  it("sends a prompt with images inline and other files by path", () => {
    const image = { kind: "image", name: "a.png", mime: "image/png", data: "aGk=" };
    const file = { kind: "file", name: "b.txt", path: "/p/b.txt" };
    const attachments = [image, file] as never;
    expect(encode({ type: "prompt", message: "msg_1", text: "Look", attachments })).toEqual([
      { id: "msg_1", type: "prompt", text: "Look\n\n@/p/b.txt", images: [{ data: "aGk=", mimeType: "image/png" }] },
    ]);
  });

  it("follows the newest run of a cloud agent on request, and only there", () => {
    const follow: AgentCommand = { type: "prompt", message: "msg_1", text: "/follow", attachments: [] };
    expect(encode(follow, [out({ ...ready, cloud: true })])).toMatchObject([{ type: "follow" }]);
    expect(encode(follow)).toMatchObject([{ type: "prompt", text: "/follow" }]);
  });

  it("changes the model in the running process, and reports it once the worker confirmed", () => {
    expect(encode({ type: "set", model: "other" })).toEqual([{ id: "set-0", type: "set_model", model: "other" }]);
    const set = written({ id: "set-0", type: "set_model", model: "other" });
    const { outputs } = decode([out(ready), set, out({ type: "response", id: "set-0" })]);
    expect(outputs).toContainEqual({ kind: "applied", field: "model", value: "other", ok: true });
  });

  it("needs another process for another mode, and cannot steer", () => {
    expect(encode({ type: "set", mode: "plan" })).toBeUndefined();
    expect(encode({ type: "steer", message: "msg_2", text: "x", attachments: [] })).toBeUndefined();
  });

  it("passes its options in a file and leaves out the project's settings until they are trusted", () => {
    const server = { name: "lamp", command: ["lamp", "--on"], env: { KEY: "k" } };
    const kit = { servers: [server], skills: [] } as never;
    const { args, files = {} } = sdk.launch({ ...launch, mode: "plan", kit, project: "untrusted" });
    expect(args).toEqual(["run", "/tmp/process/sdk.json"]);
    expect(JSON.parse(files["sdk.json"] ?? "")).toEqual({
      mode: "plan",
      servers: { lamp: { type: "stdio", command: "lamp", args: ["--on"], env: { KEY: "k" } } },
      settings: ["user", "team", "mdm"],
      scratch: "/tmp/process/tmp",
    });
  });
});

it("finds the same turns in messages without results", () => {
  const messages = framesOf(`${import.meta.dirname}/fixtures`, "resume").flatMap((frame) => {
    const line = "msg" in frame ? (frame.msg as { dir?: string; msg?: unknown }) : {};
    return line.dir === "message" ? [{ dir: "out" as const, msg: line.msg }] : [];
  });
  const { outputs } = play(sdk, messages);
  expect(outputsOfKind(outputs, "finish").map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
  expect(data(outputs, "message.done").map(({ text }) => text)).toEqual([
    ...["I will write the file.", "File step finished.", "Hello from the mock model."],
  ]);
});

it("takes further folders, although Cursor's command line does not", () => {
  expect(cursor.withoutFolders).toBeDefined();
  expect(cursor.otherwise?.withoutFolders).toBeUndefined();
  const { files = {} } = sdk.launch({ ...launch, folders: ["/srv/a"] });
  expect(JSON.parse(files["sdk.json"] ?? "")).toMatchObject({ folders: ["/srv/a"] });
});
