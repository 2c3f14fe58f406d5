import { InputRequest, type InputRequest as Request } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import type { AgentCommand, Frame, Outbound } from "../contract.ts";
import { streamJson } from "./channel.ts";
import { initialState, type State } from "./decode/state.ts";
import { messageUuid } from "./encode.ts";
import { launchOptions, outputsOfKind, play } from "./recordings.fake.ts";

const fresh = initialState(launchOptions);
const one = (command: AgentCommand, state: State = fresh): Outbound => {
  const [frame] = streamJson.encode(state, command) ?? [];
  if (!frame) throw new Error(`no frame for ${command.type}`);
  return frame;
};
const request = (more: Partial<Request>): Request =>
  InputRequest.parse({ id: "inp_1", session: "ses_1", kind: "approval", title: "?", ...more });
const encodeAnswer = (answer: Extract<AgentCommand, { type: "answer" }>["answer"], about: Request, state?: State) => {
  const { msg } = one({ type: "answer", key: "k", answer, request: about }, state);
  return (msg as { response: { response: unknown } }).response.response;
};

describe("launch", () => {
  const args = (
    more: Partial<typeof launchOptions & { resume: string; fork: boolean; model: string; effort: string }>,
  ) => streamJson.launch({ ...launchOptions, ...more }).args.join(" ");

  it("names a new conversation and passes no mode for inherit", () => {
    expect(args({})).toBe(
      "-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages " +
        `--replay-user-messages --permission-prompt-tool stdio --session-id ${launchOptions.uuid}`,
    );
  });

  it("resumes and forks", () => {
    expect(args({ resume: "r1" })).toMatch(/--resume r1$/);
    expect(args({ resume: "r1", fork: true })).toMatch(
      new RegExp(`--resume r1 --fork-session --session-id ${launchOptions.uuid}$`),
    );
  });

  it.each([
    ["plan", "plan"],
    ["ask", "default"],
    ["auto-edit", "acceptEdits"],
    ["full-auto", "bypassPermissions"],
  ] as const)("runs %s as %s", (mode, native) => {
    expect(args({ mode, model: "opus", effort: "high" })).toMatch(
      new RegExp(`--model opus --permission-mode ${native} --effort high( --managed-settings |$)`),
    );
  });
});

describe("messages", () => {
  const prompt: AgentCommand = { type: "prompt", message: "msg_7", text: "hello", attachments: [] };

  it("have our id and a UUID derived from it", () => {
    const { msg, key, repeat } = one(prompt);
    expect(msg).toMatchObject({ type: "user", uuid: messageUuid("msg_7"), gantry: { message: "msg_7" } });
    expect({ key, repeat }).toEqual({ key: "msg_7", repeat: "safe" });
    expect(messageUuid("msg_7")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(messageUuid("msg_8")).not.toBe(messageUuid("msg_7"));
    expect(one({ ...prompt, type: "steer" })).toEqual(one(prompt));
  });

  it("are acknowledged under their key when Claude replays them", () => {
    const { msg, key } = one(prompt);
    const replay: Frame = { dir: "out", msg: { ...(msg as object), isReplay: true } };
    const { outputs } = play([{ dir: "in", msg }, replay]);
    expect(outputsOfKind(outputs, "ack")).toEqual([{ kind: "ack", key }]);
  });

  it("include images, inline texts and name files", () => {
    const attachments = [
      { data: "aGk=", mime: "image/png" },
      { data: "aGk=", mime: "text/plain", name: "a.txt" },
      { path: "src/a.ts" },
      { path: "my notes.md" },
    ];
    const { msg } = one({ ...prompt, attachments });
    expect((msg as { message: { content: unknown } }).message.content).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
      { type: "text", text: "File a.txt:\nhi" },
      { type: "text", text: 'hello\n@src/a.ts\n@"my notes.md"' },
    ]);
  });
});

describe("requests", () => {
  it("have unique ids that identify their responses", () => {
    const commands: AgentCommand[] = [
      { type: "interrupt" },
      { type: "set", mode: "plan", model: "opus", effort: "low" },
      { type: "ping", key: "ping-1" },
    ];
    const frames = [
      ...streamJson.open(fresh),
      ...commands.flatMap(
        (command) => streamJson.encode(initialState({ ...launchOptions, mode: "ask" }), command) ?? [],
      ),
    ];
    expect(new Set(frames.map(({ key }) => key)).size).toBe(frames.length);
    for (const { msg, key } of frames) {
      const answer = { type: "control_response", response: { subtype: "success", request_id: key } };
      const { outputs } = play([
        { dir: "in", msg },
        { dir: "out", msg: answer },
      ]);
      expect(outputsOfKind(outputs, "ack")).toEqual([{ kind: "ack", key }]);
    }
    const later = play([{ dir: "in", msg: frames[0]?.msg }]).state;
    expect(one({ type: "interrupt" }, later).key).not.toBe(one({ type: "interrupt" }).key);
  });

  it("send no mode for inherit", () => {
    expect(streamJson.encode(fresh, { type: "set", mode: "inherit" })).toEqual([]);
  });
});

describe("answers", () => {
  const input = { command: "touch x", description: "Touch" };
  const bash = request({ tool: { name: "Bash", kind: "execute", input, command: "touch x" } });

  it("allow with the original or edited input, and never return lasting rules", () => {
    expect(encodeAnswer({ decision: "allow" }, bash)).toEqual({ behavior: "allow", updatedInput: input });
    expect(encodeAnswer({ decision: "allow_session" }, bash)).toEqual({ behavior: "allow", updatedInput: input });
    const edits = { command: "touch y" };
    expect(encodeAnswer({ decision: "allow", edits }, bash)).toEqual({ behavior: "allow", updatedInput: edits });
  });

  it("deny with a reason, and stop the turn if requested", () => {
    expect(encodeAnswer({ decision: "deny", message: "no" }, bash)).toEqual({ behavior: "deny", message: "no" });
    expect(encodeAnswer({ decision: "deny", option: "deny_and_stop" }, bash)).toMatchObject({ interrupt: true });
    expect(encodeAnswer({ decision: "cancel" }, bash)).toMatchObject({ behavior: "deny", interrupt: true });
  });

  it("answer questions by their text", () => {
    const questions = [{ question: "Which?", options: [] }];
    const about = request({
      kind: "question",
      tool: { name: "AskUserQuestion", kind: "other", input: { questions } },
      questions: [{ id: "q1", text: "Which?", options: [], multi: true, freeform: true, secret: false }],
    });
    expect(encodeAnswer({ decision: "allow", answers: { q1: ["A", "B"] } }, about)).toEqual({
      behavior: "allow",
      updatedInput: { questions, answers: { "Which?": "A, B" } },
    });
  });

  it("approve a plan and restore the previous mode", () => {
    const plan = request({ kind: "plan", tool: { name: "ExitPlanMode", kind: "switch_mode", input: {} } });
    const mode = (native: string) => ({
      updatedPermissions: [{ type: "setMode", mode: native, destination: "session" }],
    });
    expect(encodeAnswer({ decision: "allow" }, plan)).toMatchObject(mode("default"));
    expect(encodeAnswer({ decision: "allow" }, plan, { ...fresh, beforePlan: "acceptEdits" })).toMatchObject(
      mode("acceptEdits"),
    );
    expect(encodeAnswer({ decision: "allow", option: "approve_auto_edit" }, plan)).toMatchObject(mode("acceptEdits"));
    expect(encodeAnswer({ decision: "deny", option: "keep_planning" }, plan)).toMatchObject({ behavior: "deny" });
  });

  it("fill in a form of an MCP server", () => {
    const form = request({ kind: "elicitation" });
    expect(encodeAnswer({ decision: "allow", answers: { name: "x" } }, form)).toEqual({
      action: "accept",
      content: { name: "x" },
    });
    expect(encodeAnswer({ decision: "deny" }, form)).toEqual({ action: "decline" });
  });
});
