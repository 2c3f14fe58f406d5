import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgentCommand, Channel, Frame, LaunchOptions, Outbound, Output } from "../contract.ts";
import { appServer } from "./app-server/channel.ts";
import { launch } from "./replay.ts";

/** The real binary, against a model that answers from a script: set the variable to its path to run these. */
const bin = process.env.GANTRY_CODEX_SMOKE;

let home: string;
let model: Server;
const running: ChildProcess[] = [];

describe.skipIf(!bin)("the installed codex", needs({ reason: "GANTRY_CODEX_BIN names no Codex." }), () => {
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "gantry-codex-"));
    for (const folder of ["codex", "project", "tmp"]) mkdirSync(join(home, folder));
    model = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(writeScript(body));
      });
    });
    await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
    writeFileSync(join(home, "codex", "config.toml"), config((model.address() as AddressInfo).port));
  });

  afterAll(() => {
    for (const child of running) child.kill();
    model?.close();
    rmSync(home, { recursive: true, force: true });
  });

  test("asks before a command, runs it when allowed, and continues after a resume", { timeout: 60_000 }, async () => {
    const first = start({ mode: "ask" });
    const { handle } = await first.until("ready");
    first.command({ type: "prompt", message: "msg_1", text: "touch", attachments: [] });
    const { key, request } = await first.until("ask");
    expect(request.tool?.command).toBe("touch touched.txt");
    expect(existsSync(join(home, "project", "touched.txt"))).toBe(false);
    first.command({ type: "answer", key, answer: { decision: "allow" }, request: {} as never });
    expect(await first.until("finish")).toMatchObject({ outcome: "completed", usage: { input: 20, output: 2 } });
    expect(existsSync(join(home, "project", "touched.txt"))).toBe(true);
    first.stop();

    const second = start({ mode: "full-auto", ...(handle ? { resume: handle } : {}) });
    expect((await second.until("ready")).handle).toBe(handle);
    second.command({ type: "prompt", message: "msg_2", text: "hello", attachments: [] });
    expect(await second.until("finish")).toMatchObject({ outcome: "completed", usage: { input: 10, output: 1 } });
    second.stop();
  });

  test("reports a lost conversation", { timeout: 60_000 }, async () => {
    const conversation = start({ resume: "01a1e05d-d294-76c2-97b8-9a2015063099" });
    expect((await conversation.until("lost")).message).toContain("no rollout found");
    conversation.stop();
  });
});

/** A process of the real binary, driven by the channel. */
function start(options: Partial<LaunchOptions>) {
  const channel = appServer as unknown as Channel<unknown>;
  const all = { ...launch, cwd: join(home, "project"), ...options };
  const child = spawn(bin as string, channel.launch(all).args, {
    cwd: all.cwd,
    env: environment(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  running.push(child);
  const seen: Output[] = [];
  let state = channel.initial(all);
  let wake = () => {};
  const write = (frames: Outbound[]) => {
    for (const { msg } of frames) {
      child.stdin?.write(`${JSON.stringify(msg)}\n`);
      decode({ dir: "in", msg });
    }
  };
  const decode = (frame: Frame) => {
    const [next, outputs] = channel.decode(state, frame);
    state = next;
    seen.push(...outputs);
    write(outputs.flatMap((output) => (output.kind === "send" ? [output.frame] : [])));
    wake();
  };
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) decode({ dir: "out", msg: JSON.parse(line) });
  });
  write(channel.open(state));
  return {
    command: (command: AgentCommand) => write(channel.encode(state, command) ?? []),
    stop: () => child.kill(),
    async until<K extends Output["kind"]>(kind: K): Promise<Extract<Output, { kind: K }>> {
      for (;;) {
        const found = seen.find((output): output is Extract<Output, { kind: K }> => output.kind === kind);
        if (found) return found;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    CODEX_HOME: join(home, "codex"),
    TMPDIR: join(home, "tmp"),
    SMOKE_KEY: "sk-test",
  };
}

function config(port: number): string {
  return [
    'model = "scripted"',
    'model_provider = "scripted"',
    "check_for_update_on_startup = false",
    "[analytics]",
    "enabled = false",
    "[features]",
    "plugins = false",
    "[model_providers.scripted]",
    'name = "Scripted"',
    `base_url = "http://127.0.0.1:${port}/v1"`,
    'env_key = "SMOKE_KEY"',
    'wire_api = "responses"',
  ].join("\n");
}

/** One answer of the model: a command for the first request of a `touch` turn, text for all others. */
function writeScript(body: string): string {
  const input = (JSON.parse(body || "{}") as { input?: unknown[] }).input ?? [];
  const last = JSON.stringify(input.at(-1) ?? "");
  const call = {
    type: "function_call",
    id: "fc_1",
    call_id: "call_1",
    name: "exec_command",
    arguments: '{"cmd":"touch touched.txt"}',
  };
  const message = {
    type: "message",
    id: `msg_${input.length}`,
    role: "assistant",
    content: [{ type: "output_text", text: "Done." }],
  };
  const item = last.includes('"touch"') ? call : message;
  const usage = { input_tokens: 10, output_tokens: 1, total_tokens: 11 };
  const events = [
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "resp_1", usage } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
