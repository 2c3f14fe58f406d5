import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SessionError } from "../contract/session.ts";
import { continueRecent } from "./listing.ts";
import { createSessionStore, openSessionStore } from "./open.ts";

let agentDir: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "gantry-session-processes-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(agentDir, { recursive: true, force: true });
});

/** Another Node process that can use the session functions, and its output line by line. */
function spawnProcess(script: string, limit = ""): { child: ChildProcess; lines: AsyncIterator<string> } {
  const module = join(import.meta.dirname, "open.ts");
  const head = `import { createSessionStore, openSessionStore } from ${JSON.stringify(module)};
    const agentDir = ${JSON.stringify(agentDir)};
    const print = (text) => process.stdout.write(text + "\\n");`;
  const shell = `${limit} exec "$0" --input-type=module -e "$1"`;
  const child = spawn("/bin/sh", ["-c", shell, process.execPath, head + script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  return { child, lines: createInterface({ input: child.stdout! })[Symbol.asyncIterator]() };
}

function createSession(): string {
  const store = createSessionStore({ cwd: "/w", agentDir });
  store.append({ type: "message", message: { role: "user", content: "hello", timestamp: 1 } });
  store.close();
  return store.file!;
}

describe("a process that is killed while it appends", () => {
  it("loses no acknowledged entry, and another process can continue", async () => {
    const file = createSession();
    const acknowledged: string[] = [];
    for (const round of [40, 7, 90]) {
      const { child, lines } = spawnProcess(`
        const store = openSessionStore(${JSON.stringify(file)}, { agentDir });
        for (let n = 0; ; n++) {
          print(store.append({ type: "custom", customType: "n", data: { n, fill: "x".repeat(n % 5000) } }).id);
        }`);
      for (let count = 0; count < round; count++) acknowledged.push((await lines.next()).value as string);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      for (let line = await lines.next(); !line.done; line = await lines.next()) {
        if (/^[0-9a-f]{8}$/.test(line.value)) acknowledged.push(line.value);
      }
      await ended;
    }
    const store = openSessionStore(file, { agentDir });
    const ids = new Set(store.path().map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBeGreaterThanOrEqual(137);
    store.append({ type: "custom", customType: "last", data: null });
    store.close();
    expect(openSessionStore(file, { agentDir }).problems).toEqual([]);
  });
});

it("writes no partial entry to a full disk", async () => {
  const file = createSession();
  const { child, lines } = spawnProcess(
    `const store = openSessionStore(${JSON.stringify(file)}, { agentDir });
    let count = 0;
    try { for (;;) { store.append({ type: "custom", customType: "n", data: "x".repeat(3000) }); count++; } }
    catch (error) { print(error.constructor.name + " " + count + " " + store.entries().length); }
    try { store.append({ type: "custom", customType: "small", data: 1 }); print("fits"); } catch { print("full"); }`,
    "ulimit -f 40;",
  );
  const ended = once(child, "exit");
  const [name, count, entries] = String((await lines.next()).value).split(" ");
  expect([name, Number(entries)]).toEqual(["SessionError", Number(count) + 1]);
  const small = (await lines.next()).value === "fits" ? 1 : 0;
  await ended;
  const store = openSessionStore(file, { agentDir });
  expect(store.problems).toEqual([]);
  expect(store.entries()).toHaveLength(Number(entries) + small);
});

describe("two processes on one session", () => {
  it("reject the second, which may fork or open read-only", async () => {
    const file = createSession();
    const { child, lines } = spawnProcess(`
      const store = openSessionStore(${JSON.stringify(file)}, { agentDir });
      print("open");
      process.stdin.on("data", () => { store.append({ type: "custom", customType: "first", data: 1 }); print("done"); });`);
    await lines.next();
    expect(() => openSessionStore(file, { agentDir })).toThrow(new RegExp(`in use by process ${child.pid}`));
    const reader = openSessionStore(file, { agentDir, onHeld: "read" });
    expect(reader.readOnly).toBe(true);
    expect(() => reader.append({ type: "custom", customType: "x", data: 1 })).toThrow(SessionError);
    const fork = continueRecent("/w", { agentDir });
    expect(fork.header.parentSession).toBe(file);
    expect(fork.problems.join()).toMatch(/in use[\s\S]*copy/);
    fork.append({ type: "custom", customType: "second", data: 2 });
    child.stdin!.write("go\n");
    await lines.next();
    expect(readFileSync(file, "utf8")).toContain('"first"');
    expect(readFileSync(file, "utf8")).not.toContain('"second"');
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    expect(openSessionStore(file, { agentDir }).readOnly).toBe(false);
  });

  it("let exactly one of many contenders take over the lock of a dead process", async () => {
    const file = createSession();
    const owner = { pid: 2 ** 22 + 1, host: hostname(), nonce: "abcdef" };
    writeFileSync(`${file}.lock`, JSON.stringify(owner));
    const processes = Array.from({ length: 6 }, () =>
      spawnProcess(`
        print("ready");
        process.stdin.once("data", () => {
          let got = 0;
          const stores = [];
          for (let n = 0; n < 20; n++) {
            try { stores.push(openSessionStore(${JSON.stringify(file)}, { agentDir })); got++; } catch {}
          }
          print(String(got));
          process.stdin.once("data", () => { for (const store of stores) store.close(); process.exit(); });
        });`),
    );
    await Promise.all(processes.map(({ lines }) => lines.next()));
    for (const { child } of processes) child.stdin!.write("go\n");
    const got = await Promise.all(processes.map(async ({ lines }) => Number((await lines.next()).value)));
    expect(got.sort()).toEqual([0, 0, 0, 0, 0, 1]);
    const ends = processes.map(({ child }) => once(child, "exit"));
    for (const { child } of processes) child.stdin!.write("end\n");
    await Promise.all(ends);
    expect(readdirSync(join(file, "..")).filter((name) => name.includes(".lock"))).toEqual([]);
  });

  it("ignore an invalid lock file", () => {
    const file = createSession();
    writeFileSync(`${file}.lock`, "nonsense");
    const store = openSessionStore(file, { agentDir });
    store.close();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});
