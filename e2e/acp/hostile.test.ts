import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import * as v1 from "@agentclientprotocol/sdk/unstable";
import { discover } from "@gantry/client/node";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { gantryProgram } from "../harness/daemon-process.ts";
import { eventually } from "../harness/wait.ts";
import { scripted, useDrive } from "./scripted-drive.ts";

const { bench, drive } = useDrive();

test("answers broken lines, batches and unknown methods with errors, and continues", async () => {
  const program = ["--disable-warning=ExperimentalWarning", gantryProgram(), "acp"];
  const child = spawn(process.execPath, program, {
    env: bench().env,
    cwd: bench().folder,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const answers: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => answers.push(JSON.parse(line)));
  const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  const lines = [
    "not json",
    '{"jsonrpc":"2.0","id":',
    "[]",
    "null",
    '{"jsonrpc":"2.0","id":7,"method":"session/new","params":{}}',
    JSON.stringify(initialize),
  ];
  for (const line of lines) child.stdin.write(`${line}\n`);
  await eventually("the answer to initialize", () => answers.find(({ id }) => id === 1));
  const later = [
    '{"jsonrpc":"2.0","id":2,"method":"session/nonsense","params":{}}',
    '{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"../../etc","prompt":[]}}',
    '{"jsonrpc":"2.0","id":4,"method":"session/new","params":{"cwd":"relative","mcpServers":[]}}',
    "{{{",
    '{"jsonrpc":"2.0","id":5,"method":"session/list","params":{}}',
  ];
  for (const line of later) child.stdin.write(`${line}\n`);
  await eventually("the last answer", () => answers.find(({ id }) => id === 5));
  const codeOf = (id: unknown) => (answers.find((one) => one.id === id)?.error as { code: number } | undefined)?.code;
  expect(codeOf(7)).toBe(-32600);
  expect(codeOf(2)).toBe(-32601);
  expect(codeOf(3)).toBe(-32002);
  expect(codeOf(4)).toBe(-32602);
  expect(answers.find(({ id }) => id === 5)).toMatchObject({ result: { sessions: [] } });
  const ended = once(child, "exit");
  child.stdin.end();
  expect((await ended)[0]).toBe(0);
});

test("refuses wrong sessions, an empty prompt and a prompt that is too large, and changes nothing", async () => {
  const editor = await drive().editor(scripted);
  const session = await editor.create();
  const place = { cwd: bench().folder, mcpServers: [] };
  await expect(editor.request("session/load", { sessionId: "ses_none", ...place })).rejects.toMatchObject({
    code: -32002,
  });
  await expect(editor.prompt("ses_other", "hello")).rejects.toMatchObject({ code: -32002 });
  await expect(editor.prompt(session, " ")).rejects.toMatchObject({ code: -32602 });
  await expect(editor.prompt(session, "x".repeat(1_100_000))).rejects.toMatchObject({ code: -32602 });
  const wrong = { sessionId: session, configId: "mode", value: "everything" };
  await expect(editor.request("session/set_config_option", wrong)).rejects.toMatchObject({ code: -32602 });
  await expect(editor.create({ mcpServers: [{ type: "acp", name: "x", serverId: "y" }] })).rejects.toMatchObject({
    code: -32602,
  });
  expect(await bench().client.sessions.get(session)).toMatchObject({ turns: 0, mode: "ask" });
  expect(await bench().client.sessions.list()).toMatchObject({ sessions: [{ id: session }] });
});

test("lets a client that never answers wait, and answers its other requests", async () => {
  const editor = await drive().editor({ ...scripted, answer: () => undefined });
  const session = await editor.create();
  const ended = editor.prompt(session, "[[write]] go");
  await eventually("the dialog", () => editor.requests.length === 1);
  expect(await editor.request("session/list", {})).toMatchObject({ sessions: [{ sessionId: session }] });
  await editor.notify("session/cancel", { sessionId: session });
  expect(await ended).toBe("cancelled");
  await eventually("the closed dialog", () => editor.requests[0]?.isClosed);
  expect(bench().file("hello.txt")).toBeUndefined();
});

test("serves editors on a WebSocket with the bearer credential only, and not pages of other sites", async () => {
  const { url, token } = discover(join(bench().home, "gantry"));
  const address = `${url.replace("http", "ws")}/acp`;
  const bearer = { authorization: `Bearer ${token}` };
  expect(await refusal(address, {})).toBe(401);
  expect(await refusal(`${address}?token=${token}`, {})).toBe(401);
  expect(await refusal(address, { authorization: "Bearer wrong" })).toBe(401);
  expect(await refusal(address, { ...bearer, origin: "https://evil.example" })).toBe(403);
  expect(await refusal(address, { origin: "https://evil.example" })).toBe(403);
  expect(await refusal(address, { ...bearer, host: "evil.example" })).toBe(403);
  expect(await refusal(`${url.replace("http", "ws")}/v1/events`, bearer)).toBe(200);

  const connect = () => createWebSocketStream(address, { headers: bearer, WebSocket: WebSocket as never });
  const texts: string[] = [];
  const client = v1.client({ name: "test" });
  client.onNotification("session/update", ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  });
  const connection = client.connect(connect() as v1.Stream);
  await connection.agent.request("initialize", { protocolVersion: 1 });
  const { sessionId } = await connection.agent.request("session/new", { cwd: bench().folder, mcpServers: [] });
  const prompt: v1.ContentBlock[] = [{ type: "text", text: "[[text]] go" }];
  expect(await connection.agent.request("session/prompt", { sessionId, prompt })).toMatchObject({
    stopReason: "end_turn",
  });
  expect(texts.join("")).not.toBe("");
  connection.close();
});

/** The status with which an upgrade is refused. */
function refusal(address: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(address, { headers });
  return new Promise((resolve, reject) => {
    socket.on("unexpected-response", (_, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on("open", () => reject(new Error("the upgrade was accepted")));
    socket.on("error", () => {});
  });
}
