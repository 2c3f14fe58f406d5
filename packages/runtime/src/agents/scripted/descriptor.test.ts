import type { InputRequest } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { expect, it } from "vitest";
import type { AgentCommand } from "../contract.ts";
import { makeProbeTools } from "../probing/probe-tools.ts";
import { scripted, scriptedChannel } from "./descriptor.ts";

const options = { cwd: "/work", mode: "ask", uuid: "u", dir: "/tmp/process" } as const;
const encode = (command: AgentCommand) => scriptedChannel.encode(scriptedChannel.initial(options), command);

it("opens a conversation, resumes one, or copies one", () => {
  const open = (more: object) => scriptedChannel.open(scriptedChannel.initial({ ...options, ...more }));
  expect(open({ model: "m" })).toEqual([
    {
      msg: { type: "start", resume: null, fork: false, cwd: "/work", mode: "ask", model: "m" },
      key: "start",
      repeat: "ask",
    },
  ]);
  expect(open({ resume: "sca_1", fork: true })).toMatchObject([{ msg: { resume: "sca_1", fork: true } }]);
});

it("encodes every supported command", () => {
  const request = {} as InputRequest;
  expect(encode({ type: "prompt", message: "msg_1", text: "hi", attachments: [{ path: "a" }] })).toEqual([
    { msg: { type: "prompt", id: "msg_1", text: "hi", attachments: [{ path: "a" }] }, key: "msg_1", repeat: "ask" },
  ]);
  expect(encode({ type: "steer", message: "msg_2", text: "no", attachments: [] })).toMatchObject([
    { msg: { type: "steer", id: "msg_2" }, key: "msg_2" },
  ]);
  expect(encode({ type: "interrupt" })).toEqual([{ msg: { type: "interrupt" }, repeat: "safe" }]);
  expect(encode({ type: "stopTask", task: "j" })).toEqual([{ msg: { type: "stop_task", task: "j" }, repeat: "safe" }]);
  const answer = { decision: "allow_session", edits: { path: "b" }, message: "fine" } as const;
  expect(encode({ type: "answer", key: "q", answer, request })).toEqual([
    {
      msg: { type: "answer", id: "q", decision: "allow", edits: { path: "b" }, message: "fine" },
      key: "answer:q",
      repeat: "ask",
    },
  ]);
  expect(encode({ type: "set", mode: "plan" })).toMatchObject([{ msg: { type: "set", mode: "plan" } }]);
  expect(encode({ type: "ping", key: "p" })).toMatchObject([
    { msg: { type: "ping", id: "p" }, key: "p", repeat: "safe" },
  ]);
});

it("reports unsupported commands", () => {
  expect(encode({ type: "set", effort: "high" })).toBeUndefined();
});

it("recognises its own recordings", () => {
  expect(scriptedChannel.recognises([{ type: "start" }, { type: "ready", session: "s" }])).toBe(true);
  expect(scriptedChannel.recognises([{ type: "system", subtype: "init" }, null, 7])).toBe(false);
});

const program = scripted.builtin?.command;

it.runIf(program)(
  "answers a probe without opening a conversation",
  needs({ reason: "The scripted agent is not built." }),
  async () => {
    const tools = makeProbeTools(program ?? [], { PATH: "/usr/bin:/bin", HOME: "/nowhere" });
    const probe = await scripted.probe(tools);
    await tools.close();
    expect(probe).toMatchObject({ ok: true, version: "1", auth: { state: "ok" }, problems: [] });
  },
);

it("is broken when the program is something else", async () => {
  const tools = makeProbeTools(["/bin/false"], { PATH: "/usr/bin:/bin" });
  const probe = await scripted.probe(tools);
  await tools.close();
  expect(probe).toMatchObject({ ok: false, problems: [{ code: "no_answer" }] });
});
