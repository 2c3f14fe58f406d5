import { createServer } from "node:http";
import { expect, test } from "vitest";
import { eventually } from "../harness/wait.ts";
import { allowOnce, type Editor } from "./editor.ts";
import { scripted, useDrive } from "./scripted-drive.ts";

const { bench, drive } = useDrive();

const waits = () => undefined;

test("closes the dialog of the other editor when one editor answers, and both show the same", async () => {
  const [first, second] = [
    await drive().editor({ ...scripted, answer: waits }),
    await drive().editor({ answer: waits }),
  ];
  const session = await first.create();
  await second.load(session);
  const ended = first.prompt(session, "[[write]] go");
  await eventually("both dialogs", () => first.requests.length === 1 && second.requests.length === 1);
  const [input] = await bench().client.inbox();
  await bench().client.answer(input?.id ?? "", { decision: "allow" });
  expect(await ended).toBe("end_turn");
  await eventually("closed dialogs", () => first.requests[0]?.isClosed && second.requests[0]?.isClosed);
  await eventually("the same text", () => second.text() === first.text());
  expect(second.tools()).toEqual(first.tools());
  expect(first.ofKind("user_message_chunk")).toEqual([]);
  expect(second.ofKind("user_message_chunk")).toMatchObject([{ content: { text: "[[write]] go" } }]);
});

test("continues the turn when the editor is killed, and asks the next editor that loads the session", async () => {
  const first = await drive().editor({ ...scripted, answer: waits });
  const session = await first.create();
  first.prompt(session, "[[write]] go").catch(() => {});
  await eventually("the dialog", () => first.requests.length === 1);
  await first.kill();
  const second = await drive().editor({ answer: allowOnce });
  await second.load(session);
  await eventually("the file", () => bench().file("hello.txt"));
  await eventually("the end", async () => (await bench().client.sessions.get(session)).state === "idle");
  await eventually("the text", () => second.text().includes("Done"));
});

test("queues a prompt behind the turn of another client, and cancels only what waits and runs", async () => {
  const editor = await drive().editor(scripted);
  const session = await editor.create();
  await bench().client.sessions.send(session, { text: "[[slow:20:50]] from the page" });
  expect(await editor.prompt(session, "[[say:second]] from the editor")).toBe("end_turn");
  expect(editor.ofKind("user_message_chunk")).toMatchObject([{ content: { text: "[[slow:20:50]] from the page" } }]);
  expect(editor.text().endsWith("second")).toBe(true);

  const running = editor.prompt(session, "[[slow:400:50]] one");
  await eventually("the turn", async () => (await bench().client.sessions.get(session)).turn);
  const waiting = editor.prompt(session, "[[say:never]] two");
  await eventually("the queue", async () => (await bench().client.sessions.get(session)).queue.length === 1);
  await bench().client.sessions.send(session, { text: "[[say:held]] three", delivery: "queue" });
  await editor.notify("session/cancel", { sessionId: session });
  expect(await Promise.all([running, waiting])).toEqual(["cancelled", "cancelled"]);
  const left = await bench().client.sessions.get(session);
  expect(left).toMatchObject({ queueState: "paused", queue: [{ text: "[[say:held]] three" }] });
  expect(await editor.prompt(session, "[[say:again]] four")).toBe("end_turn");
  expect(editor.text().endsWith("again")).toBe(true);
});

test("repeats a prompt of the same message id once, also in another process", async () => {
  const editor = await drive().editor(scripted);
  const session = await editor.create();
  const meta = { gantry: { messageId: "msg_repeated" } };
  expect(await editor.prompt(session, "[[say:once]]", meta)).toBe("end_turn");
  const second = await drive().editor(scripted);
  await second.request("session/resume", { sessionId: session, cwd: bench().folder, mcpServers: [] });
  expect(await second.prompt(session, "[[say:once]]", meta)).toBe("end_turn");
  expect((await bench().client.sessions.get(session)).turns).toBe(1);
  expect(second.updates.filter(({ sessionUpdate }) => sessionUpdate.endsWith("_chunk"))).toEqual([]);
});

test("asks questions with a form, or with options where the editor has no forms", async () => {
  const accept = { action: "accept", content: { question_1: "Blue", question_1_other: "" } };
  const form = await drive().editor({
    ...scripted,
    capabilities: { elicitation: { form: {} } },
    answer: ({ method, params }) => (method === "elicitation/create" ? fillFirst(params, accept) : undefined),
  });
  expect(await form.prompt(await form.create(), "[[ask]]")).toBe("end_turn");
  expect(form.requests.map(({ method }) => method)).toEqual(["elicitation/create"]);
  const plain = await drive().editor(scripted);
  expect(await plain.prompt(await plain.create(), "[[ask]]")).toBe("end_turn");
  expect(plain.requests.map(({ method }) => method)).toEqual(["session/request_permission"]);
  expect(JSON.stringify(plain.requests[0]?.params)).toContain("gantry answer");
});

test("shows commands as terminals where the editor supports it, plans, and failures with their remedy", async () => {
  const editor = await drive().editor({ ...scripted, capabilities: { _meta: { terminal_output: true } } });
  const session = await editor.create();
  await editor.prompt(session, "[[bash]] go");
  const [call] = editor.ofKind("tool_call").filter(({ kind }) => kind === "execute");
  expect(call).toMatchObject({ content: [{ type: "terminal" }], _meta: { terminal_info: { cwd: bench().folder } } });
  expect(editor.updates.some(({ _meta }) => (_meta as { terminal_exit?: unknown } | undefined)?.terminal_exit)).toBe(
    true,
  );
  await editor.prompt(session, "[[todo]] go");
  expect(editor.ofKind("plan").length).toBeGreaterThan(0);
  await expect(editor.prompt(session, "[[error:rate_limit]]")).rejects.toMatchObject({ code: -32603 });
  await expect(editor.prompt(await editor.create(), "[[error:auth]]")).rejects.toMatchObject({ code: -32000 });
});

test("passes the editor's MCP servers to the agent of this session, without their values in any event", async () => {
  const editor: Editor = await drive().editor();
  const secret = "sk-editor-secret-0123456789";
  const requests: string[] = [];
  const server = createServer((incoming, outgoing) => {
    requests.push(String(incoming.headers.authorization));
    outgoing.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  const headers = [{ name: "Authorization", value: `Bearer ${secret}` }];
  const session = await editor.create({
    mcpServers: [{ type: "http", name: "My Server", url: `http://127.0.0.1:${port}/mcp`, headers }],
  });
  await editor.prompt(session, "[[text]] go");
  await eventually("a request of the agent", () => requests.includes(`Bearer ${secret}`));
  server.close();
  expect(await bench().client.sessions.get(session)).toMatchObject({ servers: ["my-server"] });
  const { events } = await bench().client.sessions.events(session, { limit: 10_000 });
  expect(JSON.stringify(events)).not.toContain(secret);
});

/** Fills the first field with the first of its options. */
function fillFirst(params: Record<string, unknown>, reply: { action: string; content: Record<string, string> }) {
  const { properties } = params.requestedSchema as { properties: Record<string, { oneOf?: { const: string }[] }> };
  const entries = Object.entries(properties).filter(([name]) => !name.endsWith("_other"));
  return {
    ...reply,
    content: Object.fromEntries(entries.map(([name, { oneOf }]) => [name, oneOf?.[0]?.const ?? "x"])),
  };
}
