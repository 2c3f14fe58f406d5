import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeProbeTools } from "../../probing/probe-tools.ts";
import { listConversations } from "../sdk/conversations.ts";
import { probe } from "../sdk/probe.ts";
import { workerCommand } from "../sdk/worker-command.ts";
import { writeFakeSdk } from "./cursor-sdk.fake.ts";

const KEY = "key_of_nobody_0123456789";
let home: string;
let project: string;
let sdk: string;
const running: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-sdk-worker-"));
  project = join(home, "project");
  mkdirSync(project);
  sdk = writeFakeSdk(join(home, "global"));
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await new Promise((done) => child.once("exit", done));
  }
  rmSync(home, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  CURSOR_API_KEY: KEY,
  ...more,
});

type Line = Record<string, unknown> & {
  result?: { status?: string };
  msg?: { type?: string; message?: { content?: { text: string }[] } };
};

/** A worker with one conversation, and the lines that it has written so far. */
class Worker {
  readonly lines: Line[] = [];
  readonly child: ChildProcess;
  readonly #waiting = new Set<() => void>();

  constructor(options: Record<string, unknown> = {}, env: Record<string, string> = {}) {
    const path = join(home, "sdk.json");
    writeFileSync(
      path,
      JSON.stringify({ mode: "agent", settings: ["user"], scratch: join(home, "scratch"), ...options }),
    );
    const [program = "", ...args] = workerCommand(sdk);
    this.child = spawn(program, [...args, "run", path], {
      cwd: project,
      env: environment(env),
      stdio: ["pipe", "pipe", "inherit"],
    });
    running.push(this.child);
    createInterface({ input: this.child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      this.lines.push(JSON.parse(line) as Line);
      for (const wake of [...this.#waiting]) wake();
    });
  }

  /** The first line that matches, after the first `from` ones. */
  line(matches: (line: Line) => boolean, from = 0): Promise<Line> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.lines.slice(from).find(matches);
        if (!found) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  write(command: Record<string, unknown>): void {
    this.child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  /** Sends a prompt and returns its result and the text that preceded it. */
  async prompt(
    text: string,
    more: Record<string, unknown> = {},
  ): Promise<{ status?: string; text: string; result: unknown }> {
    await this.line(({ type }) => type === "ready");
    const from = this.lines.length;
    this.write({ id: `msg_${from}`, type: "prompt", text, ...more });
    const { result } = await this.line(({ dir }) => dir === "result", from);
    const texts = this.lines.slice(from).flatMap(({ msg }) => msg?.message?.content?.map((block) => block.text) ?? []);
    return { status: result?.status, text: texts.join(""), result };
  }
}

it("opens a conversation with the automatic model, and passes text, images, mode and settings", async () => {
  const worker = new Worker();
  expect(await worker.line(({ type }) => type === "ready")).toMatchObject({
    sdk: "9.8.7",
    model: "auto",
    mode: "agent",
    cloud: false,
  });
  const { text } = await worker.prompt("hello", { images: [{ data: "aGk=", mimeType: "image/png" }] });
  expect(JSON.parse(text)).toEqual({ text: "hello", images: 1, mode: "agent", model: "auto", settings: ["user"] });
  worker.write({ id: "set-1", type: "set_model", model: "fake-1" });
  expect(JSON.parse((await worker.prompt("hello")).text)).toMatchObject({ model: "fake-1" });
});

it("writes files and runs commands, except in plan mode", async () => {
  const free = new Worker();
  expect(await free.prompt("write")).toMatchObject({ status: "finished" });
  expect(await free.prompt("run")).toMatchObject({ status: "finished" });
  for (const name of ["written.txt", "ran.txt"]) {
    expect(existsSync(join(project, name))).toBe(true);
    rmSync(join(project, name));
  }
  const planning = new Worker({ mode: "plan" });
  expect(await planning.line(({ type }) => type === "ready")).toMatchObject({ mode: "plan" });
  expect(await planning.prompt("write")).toMatchObject({ status: "error" });
  expect(await planning.prompt("run")).toMatchObject({ status: "error" });
  expect(await planning.prompt("thread")).toMatchObject({ status: "error" });
  expect(await planning.prompt("hello")).toMatchObject({ status: "finished" });
  for (const name of ["written.txt", "ran.txt"]) expect(existsSync(join(project, name))).toBe(false);
});

it("cancels a run, also one that has not started, and continues with the next prompt", async () => {
  const worker = new Worker();
  const slow = worker.prompt("slow");
  await worker.line(({ msg }) => msg?.type === "assistant");
  worker.write({ id: "c1", type: "cancel" });
  expect(await slow).toMatchObject({ status: "cancelled" });
  const from = worker.lines.length;
  worker.write({ id: "early", type: "prompt", text: "slow" });
  worker.write({ id: "c2", type: "cancel" });
  expect(await worker.line(({ dir }) => dir === "result", from)).toMatchObject({ result: { status: "cancelled" } });
  expect(await worker.prompt("hello")).toMatchObject({ status: "finished" });
});

it("reports a run that cannot start as its result, and rejects a prompt during a run", async () => {
  const worker = new Worker();
  expect((await worker.prompt("throw")).result).toMatchObject({
    status: "error",
    error: { name: "RateLimitError", status: 429 },
  });
  expect(await worker.prompt("nothing")).toMatchObject({ status: "error" });
  const slow = worker.prompt("slow");
  await worker.line(({ msg }) => msg?.type === "assistant");
  worker.write({ id: "again", type: "prompt", text: "hello" });
  expect(await worker.line(({ id }) => id === "again")).toMatchObject({ type: "response", error: "A run is active." });
  worker.write({ id: "c", type: "cancel" });
  await slow;
});

it("resumes a conversation in another worker, and reports one that does not exist", async () => {
  const first = new Worker();
  const { agent_id: resume } = await first.line(({ type }) => type === "ready");
  first.write({ id: "close-1", type: "close" });
  expect(await new Promise((done) => first.child.once("exit", done))).toBe(0);
  expect(await new Worker({ resume }).line(({ type }) => type === "ready")).toMatchObject({ agent_id: resume });
  const lost = new Worker({ resume: "agent-nowhere" });
  expect(await lost.line(({ type }) => type === "failed")).toMatchObject({ error: { code: "agent_not_found" } });
});

it("opens an agent of the cloud and follows its newest run", async () => {
  const worker = new Worker({ resume: "bc-1" });
  expect(await worker.line(({ type }) => type === "ready")).toMatchObject({ agent_id: "bc-1", cloud: true });
  worker.write({ id: "msg_1", type: "follow", text: "/follow" });
  expect(await worker.line(({ dir }) => dir === "result")).toMatchObject({ result: { status: "finished" } });
});

it("never writes the key", async () => {
  const worker = new Worker();
  expect((await worker.prompt("key")).text).toBe("The key is [key]");
});

it("fails with the SDK's reason when there is no key", async () => {
  const worker = new Worker({}, { CURSOR_API_KEY: "" });
  expect(await worker.line(({ type }) => type === "failed")).toMatchObject({ error: { code: "unauthenticated" } });
});

it("is probed for version, account and models, and lists local and cloud conversations", async () => {
  const tools = makeProbeTools(workerCommand(sdk), environment());
  expect(await probe(tools)).toEqual({
    ok: true,
    channel: "sdk",
    version: "9.8.7",
    auth: { state: "ok", how: "CURSOR_API_KEY", account: "me@example.com" },
    models: [
      { id: "fake-1", name: "Fake One", default: false, efforts: [] },
      { id: "auto", name: "Auto", default: true, efforts: [] },
    ],
    problems: [],
  });
  expect(await listConversations(tools)).toEqual({
    ok: true,
    complete: true,
    conversations: [
      { id: "agent-1", title: "Here", cwd: "/p", updatedAt: "1970-01-01T00:00:00.000Z" },
      {
        id: "bc-1",
        title: "In the cloud",
        updatedAt: "1970-01-02T00:00:00.000Z",
        where: "cloud, running",
        follow: "/follow",
      },
    ],
  });
  await tools.close();
  const without = makeProbeTools(workerCommand(sdk), environment({ CURSOR_API_KEY: "" }));
  expect(await probe(without)).toMatchObject({ auth: { state: "missing" }, problems: [{ code: "not_logged_in" }] });
  await without.close();
});
