import { ladder, type Mode } from "@gantry/protocol";
import { describe, expect, test } from "vitest";
import { auggie } from "../auggie/descriptor.ts";
import { claudeAgentAcp } from "../claude-agent-acp/descriptor.ts";
import { cline } from "../cline/descriptor.ts";
import { codexAcp } from "../codex-acp/descriptor.ts";
import type { Agent } from "../contract.ts";
import { copilot } from "../copilot/descriptor.ts";
import { cursor } from "../cursor/descriptor.ts";
import { droid as droidItself } from "../droid/descriptor.ts";
import { gemini } from "../gemini/descriptor.ts";
import { goose } from "../goose/descriptor.ts";
import { hermes } from "../hermes/descriptor.ts";
import { kilo } from "../kilo/descriptor.ts";
import { kimi } from "../kimi/descriptor.ts";
import { omp as ompItself } from "../omp/descriptor.ts";
import { opencode } from "../opencode/descriptor.ts";
import { qwen } from "../qwen/descriptor.ts";
import { acp } from "./descriptor.ts";
import { FakeConversation, SESSION } from "./testing/conversation.ts";
import { launch } from "./testing/recordings.ts";

/** ACP is Droid's last channel and oh-my-pi's second. */
const droid: Agent = { ...droidItself, channels: droidItself.channels.toReversed() };
const omp: Agent = { ...ompItself, channels: ompItself.channels.slice(1) };

const agents: Agent[] = [
  acp,
  auggie,
  claudeAgentAcp,
  cline,
  codexAcp,
  copilot,
  cursor,
  gemini,
  goose,
  hermes,
  kilo,
  kimi,
  opencode,
  qwen,
];

/** The arguments of each agent, by mode if they differ. */
const starts: [Agent, Mode, string[]][] = [
  [auggie, "inherit", ["--acp", "--retry-timeout", "30"]],
  [claudeAgentAcp, "ask", []],
  [cline, "inherit", ["--acp"]],
  [codexAcp, "ask", []],
  [copilot, "ask", ["--acp"]],
  [cursor, "ask", ["acp"]],
  [droid, "ask", ["exec", "--output-format", "acp"]],
  [gemini, "full-auto", ["--acp", "--debug", "--admin-policy", `${launch.dir}/policy.toml`]],
  [goose, "ask", ["acp"]],
  [hermes, "inherit", ["acp"]],
  [kilo, "ask", ["acp", "--print-logs", "--log-level", "ERROR"]],
  [kimi, "ask", ["acp"]],
  [omp, "full-auto", ["acp", "--approval-mode", "yolo"]],
  [opencode, "ask", ["acp", "--print-logs", "--log-level", "ERROR"]],
  [qwen, "plan", ["--acp"]],
];

test.each(starts.map(([agent, mode, args]) => ({ id: agent.id, agent, mode, args })))(
  "$id in $mode starts with $args",
  ({ agent, mode, args }) => {
    expect(agent.channels[0]?.launch({ ...launch, mode }).args).toEqual(args);
  },
);

/** The native mode that each rung sets. */
const native: [Agent, Partial<Record<Mode, string>>][] = [
  [claudeAgentAcp, { plan: "plan", ask: "default", "auto-edit": "acceptEdits", "full-auto": "bypassPermissions" }],
  [codexAcp, { ask: "read-only", "auto-edit": "workspace-write", "full-auto": "agent-full-access" }],
  [droid, { plan: "spec", ask: "normal", "auto-edit": "auto-low", "full-auto": "auto-high" }],
  [gemini, { plan: "plan", ask: "default", "auto-edit": "autoEdit", "full-auto": "yolo" }],
  [kimi, { plan: "plan", ask: "default", "full-auto": "auto" }],
  [qwen, { plan: "plan", ask: "default", "auto-edit": "auto-edit", "full-auto": "yolo" }],
];

describe.each(native.map(([agent, modes]) => ({ id: agent.id, agent, modes })))("$id", ({ agent, modes }) => {
  test.each(Object.entries(modes))("maps %s to the native mode %s", (mode, modeId) => {
    const conversation = FakeConversation.open(
      agent,
      { version: agent.versions?.newest },
      { modes: { currentModeId: "none", availableModes: [{ id: modeId }] } },
    );
    // A process of another mode, which pins the same in the newest version.
    const { state } = conversation;
    conversation.state = { ...state, options: { ...state.options, mode: "ask" } };
    const [frame] = conversation.command({ type: "set", mode: mode as Mode }) ?? [];
    expect(frame?.msg).toMatchObject({ method: "session/set_mode", params: { sessionId: SESSION, modeId } });
    expect(conversation.answer({})).toEqual([
      { kind: "applied", field: "mode", value: mode, ok: true, native: modeId },
    ]);
  });
});

test.each(agents)("$id describes exactly the modes it supports", (agent) => {
  for (const rung of ladder.filter((mode) => agent.modes[mode] !== undefined)) {
    const { args, env } = agent.channels[0]?.launch({ ...launch, mode: rung }) ?? { args: [] };
    const set = FakeConversation.open(
      agent,
      { mode: rung },
      { modes: { currentModeId: "none", availableModes: [{ id: "x" }] } },
    );
    const passedAtStart =
      JSON.stringify([args, env]) !== JSON.stringify(Object.values(agent.channels[0]?.launch(launch) ?? {}));
    expect(passedAtStart || set.methods.includes("session/set_mode"), `${agent.id} ${rung}`).toBe(true);
  }
  expect(agent.steer).toBe("queue");
  expect(agent.find.env).toBe(`GANTRY_${agent.id.toUpperCase().replaceAll("-", "_")}_BIN`);
});

test("does not set a mode that needs another process at run time", () => {
  const conversation = FakeConversation.open(
    omp,
    { mode: "ask" },
    { modes: { currentModeId: "default", availableModes: [] } },
  );
  expect(conversation.command({ type: "set", mode: "full-auto" })).toBeUndefined();
  expect(conversation.command({ type: "set", mode: "inherit" })).toBeUndefined();
});

test("sets model and effort by the agent's options, or by the model request", () => {
  const configOptions = [
    { id: "model", category: "model", currentValue: "a", options: [{ value: "a" }, { value: "b" }] },
    { id: "thinking", category: "thought_level", currentValue: "on", options: [{ value: "off" }] },
  ];
  const conversation = FakeConversation.open(kimi, {}, { configOptions });
  conversation.command({ type: "set", model: "b", effort: "off" });
  expect(conversation.sent.slice(-2).map(({ method, params }) => [method, params?.configId, params?.value])).toEqual([
    ["session/set_config_option", "model", "b"],
    ["session/set_config_option", "thinking", "off"],
  ]);
  const other = FakeConversation.open(droid, {}, { configOptions });
  other.command({ type: "set", model: "b" });
  expect(other.last).toMatchObject({ method: "session/set_model", params: { modelId: "b" } });
  expect(FakeConversation.open(cline).command({ type: "set", model: "b" })).toBeUndefined();
});

test("encodes images inline if supported, files as links and other attachments as text", () => {
  const attachments = [
    { mime: "image/png", data: "AAAA", name: "p.png" },
    { path: "/w/a b.md" },
    { name: "n.txt", data: Buffer.from("grün").toString("base64") },
  ];
  const blocks = (can: object) => {
    const conversation = FakeConversation.open(gemini, {}, {}, can);
    conversation.command({ type: "prompt", message: "msg_1", text: "look", attachments });
    return conversation.last.params?.prompt;
  };
  expect(blocks({ promptCapabilities: { image: true } })).toEqual([
    { type: "text", text: "look" },
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "resource_link", uri: "file:///w/a%20b.md", name: "a b.md" },
    { type: "text", text: "Attached file n.txt:\ngrün" },
  ]);
  expect((blocks({}) as object[])[1]).toMatchObject({ type: "text" });
});

test("accepts any response to a ping and does not support steering", () => {
  const conversation = FakeConversation.open(kimi);
  conversation.command({ type: "ping", key: "k" });
  expect(conversation.last).toMatchObject({ id: "ping:k", method: "_gantry/ping" });
  expect(conversation.receive({ id: "ping:k", error: { code: -32601, message: "no" } })).toEqual([
    { kind: "ack", key: "k" },
  ]);
  expect(conversation.command({ type: "steer", message: "msg_2", text: "x", attachments: [] })).toBeUndefined();
});

test("sends no prompt before the conversation is open", () => {
  expect(
    new FakeConversation(gemini).command({ type: "prompt", message: "m", text: "x", attachments: [] }),
  ).toBeUndefined();
});
