import fs, { mkdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { Database } from "./log/sqlite/database.ts";
import { TestDaemon } from "./test-daemon.ts";

vi.setConfig({ testTimeout: 120_000 });

const TOOLS = 4000;

/** An ACP agent that calls `TOOLS` tools as fast as it can, with a pause around them. */
const AGENT = `
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (update) => write({ method: "session/update", params: { sessionId: "s", update } });
const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") write({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  if (method === "session/new") write({ id, result: { sessionId: "s" } });
  if (method !== "session/prompt") return;
  await pause();
  for (let n = 0; n < ${TOOLS}; n++) {
    update({ sessionUpdate: "tool_call", toolCallId: "call" + n, title: "look", kind: "execute", status: "in_progress" });
    update({ sessionUpdate: "tool_call_update", toolCallId: "call" + n, status: "completed" });
  }
  await pause();
  write({ id, result: { stopReason: "end_turn" } });
});
`;

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

/** Calls that the tail of the agent's output makes for each chunk, not for each event. They open nothing. */
const CHUNK_READS = new Set(["read", "readSync", "fstat", "fstatSync"]);

/** Reports every call of `node:fs`, by name. */
function watchFiles(onCall: (name: string) => void): void {
  const functions = Object.entries(fs).filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name));
  for (const [name, original] of functions) {
    const replacement = function (this: unknown, ...args: unknown[]) {
      onCall(name);
      return Reflect.apply(original as () => unknown, this, args);
    };
    Object.assign(fs, { [name]: Object.assign(replacement, original) });
  }
  syncBuiltinESMExports();
  undo.push(() => {
    Object.assign(fs, Object.fromEntries(functions));
    syncBuiltinESMExports();
  });
}

/** Reports every statement, and whether it belongs to a transaction. */
function watchStatements(onStatement: (sql: string, inCommit: boolean, values: unknown[]) => void): void {
  let inCommit = false;
  const transaction = Database.prototype.transaction;
  const spy = vi.spyOn(Database.prototype, "transaction").mockImplementation(function (this: Database, work) {
    inCommit = true;
    try {
      return transaction.call(this, work) as never;
    } finally {
      inCommit = false;
    }
  });
  undo.push(() => spy.mockRestore());
  for (const method of ["all", "get", "run"] as const) {
    const original = Database.prototype[method] as (sql: string, ...values: never[]) => unknown;
    const replacement = function (this: Database, sql: string, ...values: never[]) {
      onStatement(sql, inCommit, values);
      return original.call(this, sql, ...values);
    };
    Object.assign(Database.prototype, { [method]: replacement });
    undo.push(() => Object.assign(Database.prototype, { [method]: original }));
  }
}

it("does nothing but commit for the tool events of an agent from a local profile", async () => {
  const daemon = await new TestDaemon().start();
  undo.push(() => daemon.dispose());
  const program = join(daemon.home, "agent.cjs");
  writeFileSync(program, AGENT);
  const folder = join(daemon.home, "gantry", "agents");
  mkdirSync(folder, { recursive: true });
  const command = JSON.stringify([process.execPath, program]);
  writeFileSync(join(folder, "busy.yml"), `id: busy\nextends: acp\ncommand: ${command}\n`);

  const calls = new Map<string, number>();
  const count = (name: string) => calls.set(name, (calls.get(name) ?? 0) + 1);
  let [ended, counting] = [0, false];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  watchFiles((name) => {
    if (counting && !CHUNK_READS.has(name)) count(name);
  });
  watchStatements((sql, inCommit, values) => {
    if (values.includes("tool.started" as never)) counting = true;
    if (counting && !inCommit) count(sql);
    ended += values.filter((value) => value === "tool.ended").length;
    if (ended < TOOLS) return;
    counting = false;
    finish();
  });
  await daemon.client.sessions.create({ agent: "busy", cwd: daemon.cwd, prompt: "go", env: { MY_API_KEY: "k" } });
  await finished;
  // Timers may run once in a while. Whatever an event or a batch of up to 128 of them causes happens more often.
  expect([...calls].filter(([, times]) => times > TOOLS / 200)).toEqual([]);
});
