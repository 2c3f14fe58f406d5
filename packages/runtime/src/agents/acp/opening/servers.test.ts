import type { McpServer } from "@gantry/protocol";
import { expect, test } from "vitest";
import { claudeAgentAcp } from "../../claude-agent-acp/descriptor.ts";
import { gemini } from "../../gemini/descriptor.ts";
import { acp } from "../descriptor.ts";
import { FakeConversation, SESSION } from "../testing/conversation.ts";

const files: McpServer = { name: "files", command: ["npx", "-y", "files"], env: { TOKEN: "secret" }, enabled: true };
const web: McpServer = { name: "web", url: "https://x.example", transport: "http", enabled: true };
const old: McpServer = { name: "old", url: "https://y.example", transport: "sse", headers: { A: "b" }, enabled: true };
const kit = { servers: [files, web, old], skills: [] };

const all = [
  { name: "files", command: "npx", args: ["-y", "files"], env: [{ name: "TOKEN", value: "secret" }] },
  { type: "http", name: "web", url: "https://x.example", headers: [] },
  { type: "sse", name: "old", url: "https://y.example", headers: [{ name: "A", value: "b" }] },
];

test("opens a conversation with the servers that the agent supports", () => {
  const conversation = new FakeConversation(gemini, { kit });
  conversation.answer({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true, sse: true } } });
  expect(conversation.last).toMatchObject({ method: "session/new", params: { mcpServers: all } });
});

test("passes supported servers and reports the others", () => {
  const conversation = new FakeConversation(acp, { kit, resume: "old" });
  const outputs = conversation.answer({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, mcpCapabilities: { http: false } },
  });
  expect(conversation.last).toMatchObject({ method: "session/load", params: { mcpServers: [all[0]] } });
  const notices = outputs.flatMap((output) => (output.kind === "event" ? [output.event.data] : []));
  expect(notices).toEqual([
    { kind: "kit", severity: "warning", text: expect.stringMatching(/over http: web is not available/) },
    { kind: "kit", severity: "warning", text: expect.stringMatching(/over sse: old is not available/) },
  ]);
});

test("sends the kind of each server in version 2 and respects the advertised kinds", () => {
  const conversation = new FakeConversation(claudeAgentAcp, { kit });
  conversation.answer({ protocolVersion: 2, capabilities: { session: { mcp: { stdio: {}, http: {} } } } });
  expect(conversation.last.params).toMatchObject({ mcpServers: [{ ...all[0], type: "stdio" }, all[1]] });
  const none = new FakeConversation(claudeAgentAcp, { kit });
  none.answer({ protocolVersion: 2, capabilities: { session: { mcp: {} } } });
  expect(none.last.params).toMatchObject({ mcpServers: [] });
});

test("stores only the servers' names once the conversation is open", () => {
  const conversation = new FakeConversation(gemini, { kit });
  conversation.answer({ protocolVersion: 1 });
  conversation.answer({ sessionId: SESSION });
  expect(JSON.stringify(conversation.state)).not.toContain("secret");
  conversation.command({ type: "prompt", message: "msg_1", text: "hi", attachments: [] });
  const call = { sessionUpdate: "tool_call", toolCallId: "mcp_files_read__1", title: "read", status: "in_progress" };
  expect(conversation.update(call)).toContainEqual(
    expect.objectContaining({ event: expect.objectContaining({ type: "tool.started" }) }),
  );
});
