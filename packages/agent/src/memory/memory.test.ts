import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSessionStore } from "../session-files/open.ts";
import { createMemory } from "./create-memory.ts";
import type { Ask, MemorySettings } from "./port.ts";
import { scrub } from "./scrub.ts";

const cwd = "/some/project";
const HOUR = 3_600_000;
const signal = new AbortController().signal;
let agentDir: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "gantry-memory-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(agentDir, { recursive: true, force: true });
});

function session(text: string, hoursAgo = 24): { id: string; file: string } {
  const store = createSessionStore({ cwd, agentDir });
  store.append({ type: "message", message: { role: "user", content: text, timestamp: 1 } });
  store.close();
  age(store.file!, hoursAgo);
  return { id: store.header.id, file: store.file! };
}
function age(file: string, hoursAgo: number): void {
  const then = new Date(Date.now() - hoursAgo * HOUR);
  utimesSync(file, then, then);
}
const memory = (settings: Partial<MemorySettings> = {}, now?: () => number) =>
  createMemory({ cwd, agentDir, now, settings: { enabled: true, ...settings } });
const folder = () => join(agentDir, "memories/--some-project--");

/** A model that records each question and returns a matching answer. */
function model(asked: string[] = []): Ask {
  return async ({ system, text }) => {
    if (system.includes("one finished session")) {
      asked.push(text);
      return `Here:\n\`\`\`json\n${JSON.stringify({ raw_memory: `learned from ${text.slice(8, 44)}`, rollout_summary: "short" })}\n\`\`\``;
    }
    asked.push(`all ${text.split("<session").length - 1}`);
    const skills = [
      { name: "release", content: "how" },
      { name: "../evil", content: "x" },
    ];
    return JSON.stringify({ memory: "# All", summary: `Know this.\npassword: hunter2hunter2`, skills });
  };
}

describe("memory", () => {
  it("is off by default", async () => {
    session("x");
    const off = createMemory({ cwd, agentDir });
    const asked: string[] = [];
    expect(await off.run(model(asked), signal)).toEqual({ extracted: 0, consolidated: false, problems: [] });
    await off.enqueue();
    expect([asked, off.prompt(), existsSync(join(agentDir, "memory.db"))]).toEqual([[], undefined, false]);
    await expect(off.urls.read("memory://root", signal)).rejects.toThrow(/no memory:/);
  });

  it("learns from idle sessions, adds the result to new ones, and asks about each session once", async () => {
    const asked: string[] = [];
    const { id } = session("we use tabs; token=abcdefgh12345678");
    session("too new", 1);
    session("too old", 24 * 31);
    const active = session("still active");
    const first = await memory().run(model(asked), signal, { activeSession: active.id });
    expect(first).toEqual({ extracted: 1, consolidated: true, problems: [] });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain(id);
    expect(asked[0]).toContain("we use tabs; token=[secret]");
    expect(memory().prompt()).toMatch(/# Memory Guidance[\s\S]*Know this\.\npassword: \[secret\]/);
    expect(readFileSync(join(folder(), "skills/release/SKILL.md"), "utf8")).toBe("how\n");
    expect(existsSync(join(folder(), "evil"))).toBe(false);
    expect(await memory().run(model(asked), signal, { activeSession: active.id })).toMatchObject({
      extracted: 0,
      consolidated: false,
    });
    expect(asked).toHaveLength(2);
    expect(memory().view()).toContain("MEMORY.md");
    expect((await memory().urls.read("memory://root/MEMORY.md", signal)).text).toBe("# All\n");
    writeFileSync(join(agentDir, "outside"), "secret");
    symlinkSync(join(agentDir, "outside"), join(folder(), "link"));
    for (const path of ["../../outside", "link", "none"]) {
      await expect(memory().urls.read(`memory://root/${path}`, signal)).rejects.toThrow(/There is no memory/);
    }
  });

  it("reads a session again after it changed, and consolidates when enqueued", async () => {
    const asked: string[] = [];
    const { file } = session("one", 48);
    await memory().run(model(asked), signal);
    age(file, 20);
    await memory().run(model(asked), signal);
    expect(asked).toHaveLength(4);
    await memory().enqueue();
    expect(await memory().run(model(asked), signal)).toMatchObject({ extracted: 0, consolidated: true });
    await memory().clear();
    expect([existsSync(folder()), memory().prompt()]).toEqual([false, undefined]);
    expect(await memory().run(model(asked), signal)).toMatchObject({ extracted: 1, consolidated: true });
  });

  it("limits the prompt to a number of tokens and cuts it at a line end", async () => {
    session("x");
    const long = "a line of known facts\n".repeat(3000);
    const ask: Ask = async ({ step }) =>
      JSON.stringify(
        step === "consolidate" ? { memory: "m", summary: long } : { raw_memory: "r", rollout_summary: "s" },
      );
    await memory().run(ask, signal);
    expect(memory().prompt()!.length).toBeLessThanOrEqual(20_000);
    expect(memory().prompt()).toMatch(/known facts$/);
  });

  it("retries a failed job later, and reports the reason", async () => {
    session("x");
    const answerBadly: Ask = async () => "I would rather not";
    const failed = await memory().run(answerBadly, signal);
    expect(failed).toMatchObject({ extracted: 0, consolidated: false });
    expect(failed.problems).toHaveLength(1);
    expect(await memory().run(model(), signal)).toMatchObject({ extracted: 0, problems: [] });
    const later = memory({}, () => Date.now() + 2 * HOUR);
    expect(await later.run(model(), signal)).toMatchObject({ extracted: 1, consolidated: true });
  });

  it("stops when aborted, and the next run continues at once", async () => {
    session("x");
    const stop = new AbortController();
    const run = memory().run(
      (_, inner) =>
        new Promise((_, fail) => {
          inner.addEventListener("abort", () => fail(inner.reason));
          stop.abort();
        }),
      stop.signal,
    );
    expect(await run).toEqual({ extracted: 0, consolidated: false, problems: [] });
    expect(await memory().run(model(), signal)).toMatchObject({ extracted: 1, consolidated: true });
  });
});

/** Another process that runs memory. Its model prints each question on a line; the question of the step `hang` gets no answer. */
function spawnProcess(hang: string): { child: ChildProcess; lines: AsyncIterator<string> } {
  const module = join(import.meta.dirname, "create-memory.ts");
  const script = `import { createMemory } from ${JSON.stringify(module)};
    const ask = async ({ step, text }) => {
      process.stdout.write((step === "consolidate" ? "all" : text.slice(8, 44)) + "\\n");
      if (${JSON.stringify(hang)} === step) await new Promise((resolve) => setTimeout(resolve, 1e8));
      return JSON.stringify(step === "consolidate" ? { memory: "m", summary: text } : { raw_memory: "from " + text.slice(8, 44), rollout_summary: "s" });
    };
    const settings = { enabled: true, concurrency: 3 };
    const memory = createMemory({ cwd: ${JSON.stringify(cwd)}, agentDir: ${JSON.stringify(agentDir)}, settings });
    const run = await memory.run(ask, new AbortController().signal);
    process.stdout.write("done " + run.extracted + " " + run.problems.join() + "\\n");`;
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  children.push(child);
  return { child, lines: createInterface({ input: child.stdout! })[Symbol.asyncIterator]() };
}

async function rest(lines: AsyncIterator<string>): Promise<string[]> {
  const out: string[] = [];
  for (let line = await lines.next(); !line.done; line = await lines.next()) out.push(line.value);
  return out;
}

it("replaces a corrupt database, and reports when no database can be created", async () => {
  session("x");
  writeFileSync(join(agentDir, "memory.db"), "nonsense ".repeat(2000));
  expect(await memory().run(model(), signal)).toEqual({ extracted: 1, consolidated: true, problems: [] });
  const nowhere = createMemory({ cwd, agentDir: join(agentDir, "memory.db"), settings: { enabled: true } });
  expect((await nowhere.run(model(), signal)).problems).toHaveLength(1);
});

describe("several processes", () => {
  it("share the sessions and ask about each once", async () => {
    const ids = Array.from({ length: 12 }, (_, n) => session(`session ${n}`).id);
    const outputs = await Promise.all(Array.from({ length: 4 }, () => rest(spawnProcess("").lines)));
    const asked = outputs.flat().filter((line) => /^[0-9a-f-]{36}$/.test(line));
    expect(asked.sort()).toEqual(ids.sort());
    expect(
      outputs
        .flat()
        .filter((line) => line.startsWith("done"))
        .map((line) => Number(line.split(" ")[1]))
        .reduce((a, b) => a + b),
    ).toBe(12);
    await memory().run(model(), signal);
    expect(memory().prompt()).toBeDefined();
  });

  it.each(["extract", "consolidate"])(
    "continues after the lease expires when a process is killed while the %s model answers",
    async (hang) => {
      const ids = Array.from({ length: 3 }, (_, n) => session(`session ${n}`).id);
      const { child, lines } = spawnProcess(hang);
      const seen = new Set<unknown>();
      while (seen.size < 3 || (hang === "consolidate" && !seen.has("all"))) seen.add((await lines.next()).value);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      const asked: string[] = [];
      expect(await memory().run(model(asked), signal)).toEqual({ extracted: 0, consolidated: false, problems: [] });
      expect(asked).toEqual([]);
      const later = memory({}, () => Date.now() + 10 * 60_000);
      const run = await later.run(model(asked), signal);
      expect(run).toEqual({ extracted: hang === "consolidate" ? 0 : 3, consolidated: true, problems: [] });
      expect(asked.at(-1)).toBe("all 3");
      expect(asked.filter((text) => ids.some((id) => text.includes(id)))).toHaveLength(run.extracted);
    },
  );

  it("stores nothing after losing its lease", async () => {
    session("x");
    let answer: (text: string) => void = () => {};
    const asked = new Promise<void>((begun) => {
      const slow = memory().run(
        () =>
          new Promise((resolve) => {
            answer = resolve;
            begun();
          }),
        signal,
      );
      void slow.then((run) => {
        lost = run.extracted;
      });
    });
    let lost: number | undefined;
    await asked;
    await memory({}, () => Date.now() + 10 * 60_000).run(model(), signal);
    const before = memory().prompt();
    answer(JSON.stringify({ raw_memory: "stale", rollout_summary: "stale" }));
    await expect.poll(() => lost).toBe(0);
    expect(memory().prompt()).toBe(before);
  });
});

it("removes secrets by their shapes, and leaves prose alone", () => {
  const secrets = [
    `sk-ant-${"a1".repeat(20)}`,
    `ghp_${"a".repeat(36)}`,
    `sk_live_${"b".repeat(24)}`,
    `npm_${"c".repeat(36)}`,
    "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----",
    `AKIA${"Z".repeat(16)}`,
  ];
  for (const secret of secrets) expect(scrub(`before ${secret} after`)).toBe("before [secret] after");
  expect(scrub("postgres://user:s3cret@host/db")).toBe("postgres://user:[secret]@host/db");
  expect(scrub('DB_PASSWORD="correcthorse"')).toBe('DB_PASSWORD="[secret]"');
  const prose = "The token count was high; we keep secrets in vault. See https://host/a:b and sk-learn.";
  expect(scrub(prose)).toBe(prose);
  const from = performance.now();
  scrub("api_key_".repeat(50_000));
  expect(performance.now() - from).toBeLessThan(30_000);
});
