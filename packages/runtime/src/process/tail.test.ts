import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Line } from "../framing/lines.ts";
import { StorageFullError } from "../log/errors.ts";
import { FAIR_LINES, LEAST_LINES, MAX_LINES, Tail, type TailOptions } from "./tail.ts";
import { exitOfDir, files, playground, waitUntil } from "./testing/playground.ts";

const { agent, home, request, started } = playground();
const MB = 1024 * 1024;

function follow(path: string, more: Partial<TailOptions> = {}) {
  const seen: Line[] = [];
  const ends: number[] = [];
  const errors: unknown[] = [];
  const tail = new Tail({
    path,
    offset: 0,
    onLines: (lines, end) => {
      seen.push(...lines);
      ends.push(end);
    },
    onError: (error) => errors.push(error),
    ...more,
  });
  return { tail, seen, ends, errors, texts: () => seen.map((line) => (line.kind === "line" ? line.text : line.size)) };
}

describe("Tail", () => {
  it("reads the existing lines, follows new ones, and delivers only whole lines", async () => {
    const path = join(home(), "out");
    writeFileSync(path, "one\ntwo\nthr");
    const { tail, texts, ends } = follow(path);
    tail.start();
    await tail.drain();
    expect(texts()).toEqual(["one", "two"]);
    expect(ends).toEqual([8]);
    appendFileSync(path, "ee\nfour\n");
    await waitUntil(() => texts().length === 4, "the poll");
    expect(texts()).toEqual(["one", "two", "three", "four"]);
    expect(ends.at(-1)).toBe(19);
    tail.stop();
  });

  it("starts at its offset, and finally delivers a last line without line end", async () => {
    const path = join(home(), "out");
    writeFileSync(path, "one\ntwo\nthree");
    const { tail, seen } = follow(path, { offset: 4 });
    tail.start();
    await tail.finish();
    expect(seen).toEqual([
      { kind: "line", text: "two", end: 8 },
      { kind: "line", text: "three", end: 13 },
    ]);
    appendFileSync(path, "\nmore\n");
    await tail.drain();
    expect(seen.length).toBe(2);
  });

  it("waits for a file that does not exist yet, and for one that never gets a line", async () => {
    const path = join(home(), "later", "out");
    const { tail, texts, errors } = follow(path, { pollMs: { min: 10, max: 20 } });
    tail.start();
    await tail.drain();
    mkdirSync(dirname(path));
    writeFileSync(path, "no line end");
    await tail.drain();
    expect(texts()).toEqual([]);
    appendFileSync(path, "\n");
    await waitUntil(() => texts().length === 1, "the poll");
    expect(errors).toEqual([]);
    tail.stop();
  });

  it("delivers the same lines again, each once in the end, when storing them failed", async () => {
    const path = join(home(), "out");
    writeFileSync(path, "one\ntwo\n");
    const stored: string[] = [];
    let refusals = 3;
    const { tail, errors } = follow(path, {
      retryMs: { min: 5, max: 10 },
      onLines: (lines) => {
        if (refusals-- > 0) throw new StorageFullError("gantry.db", "full");
        stored.push(...lines.map((line) => (line.kind === "line" ? line.text : "")));
      },
    });
    tail.start();
    appendFileSync(path, "three\n");
    await tail.drain();
    expect(stored).toEqual(["one", "two", "three"]);
    expect(errors.length).toBe(3);
    tail.stop();
  });

  it("can be stopped while it waits for disk space", async () => {
    const path = join(home(), "out");
    writeFileSync(path, "one\n");
    let calls = 0;
    const { tail } = follow(path, {
      retryMs: { min: 60_000, max: 60_000 },
      onLines: () => {
        calls++;
        throw new StorageFullError("gantry.db", "full");
      },
    });
    tail.start();
    const drained = tail.drain();
    await waitUntil(() => calls === 1, "the first try");
    tail.stop();
    await drained;
    expect(calls).toBe(1);
  });

  it("yields to the event loop during a flood", async () => {
    const path = join(home(), "out");
    writeFileSync(path, `${"x".repeat(99)}\n`.repeat(200_000));
    const { tail, seen, ends } = follow(path);
    let turns = 0;
    let flowing = true;
    const other = (async () => {
      for (; flowing; turns++) await nextTurn();
    })();
    tail.start();
    await tail.drain();
    flowing = false;
    await other;
    expect(seen.length).toBe(200_000);
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    expect(ends.at(-1)).toBe(20_000_000);
    expect(turns).toBeGreaterThanOrEqual(ends.length - 1);
    tail.stop();
  });

  it("delivers a bounded number of lines in a turn of the event loop, and takes turns with other tails", async () => {
    const path = join(home(), "out");
    writeFileSync(path, "x\n".repeat(20_000));
    const order: { by: string; lines: number }[] = [];
    const tails = ["one", "other"].map((by) => {
      return follow(path, { onLines: (lines) => order.push({ by, lines: lines.length }) }).tail;
    });
    for (const tail of tails) tail.start();
    await Promise.all(tails.map((tail) => tail.drain()));
    expect(Math.max(...order.map(({ lines }) => lines))).toBe(MAX_LINES);
    expect(order.reduce((sum, { lines }) => sum + lines, 0)).toBe(40_000);
    expect(order.filter(({ by }, index) => by === order[index + 1]?.by)).toEqual([]);
    for (const tail of tails) tail.stop();
  });

  it("delivers a flood in smaller parts while another agent prints a line now and then", async () => {
    const [flood, quiet] = [join(home(), "flood"), join(home(), "quiet")];
    writeFileSync(flood, "line\n".repeat(20_000));
    writeFileSync(quiet, "");
    const sizes: number[] = [];
    const between: number[] = [];
    const tail = follow(flood, { onLines: (lines) => void sizes.push(lines.length) }).tail;
    const other = follow(quiet, { onLines: () => void between.push(sizes.length) }).tail;
    appendFileSync(quiet, "line\n");
    other.start();
    tail.start();
    await tail.drain();
    expect(between).toEqual([0]);
    expect(Math.max(...sizes)).toBe(FAIR_LINES);
    other.stop();
    appendFileSync(flood, "line\n".repeat(1000));
    await tail.drain();
    expect(Math.max(...sizes)).toBe(MAX_LINES);
    tail.stop();
  });

  it("delivers lines that take long in smaller parts, and others in large ones again", async () => {
    const path = join(home(), "out");
    writeFileSync(path, "slow\n".repeat(600));
    const sizes: number[] = [];
    let isSlow = true;
    const onLines = (lines: Line[]) => {
      sizes.push(lines.length);
      const end = process.threadCpuUsage().user + lines.length * 1000;
      while (isSlow && process.threadCpuUsage().user < end);
    };
    const { tail } = follow(path, { onLines });
    tail.start();
    await tail.drain();
    expect(sizes[0]).toBe(MAX_LINES);
    expect(sizes.slice(5, -1).every((size) => size === LEAST_LINES)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(600);
    isSlow = false;
    appendFileSync(path, "fast\n".repeat(2000));
    await tail.drain();
    expect(sizes.at(-2)).toBe(MAX_LINES);
    tail.stop();
  });

  it("reports a truncated file and continues with new lines", async () => {
    const path = join(home(), "out");
    writeFileSync(path, "one\ntwo\n");
    const { tail, texts, errors } = follow(path);
    tail.start();
    await tail.drain();
    truncateSync(path, 4);
    await tail.drain();
    appendFileSync(path, "new\n");
    await tail.drain();
    expect(texts()).toEqual(["one", "two", "new"]);
    expect(String(errors[0])).toContain("was cut from 8 to 4 bytes");
    tail.stop();
  });
});

it.each(["short\n", "longer than before\n", "x\n".repeat(50)])(
  "reads a file from its start after it was cut to nothing and written again: %j",
  async (text) => {
    const path = join(home(), "out");
    writeFileSync(path, "one\ntwo\n");
    const { tail, texts, errors } = follow(path);
    tail.start();
    await tail.drain();
    truncateSync(path, 0);
    appendFileSync(path, text);
    await tail.drain();
    await tail.drain();
    expect(texts()).toEqual(["one", "two", ...text.trim().split("\n")]);
    expect(errors).toHaveLength(1);
    tail.stop();
  },
);

it("notices a file that became shorter before the tail started", async () => {
  const path = join(home(), "out");
  writeFileSync(path, "garbage\n");
  const cuts: number[][] = [];
  const { tail, texts } = follow(path, { offset: 100, onCut: (from, to) => cuts.push([from, to]) });
  tail.start();
  await tail.drain();
  appendFileSync(path, "new\n");
  await tail.drain();
  expect(cuts).toEqual([[100, 8]]);
  expect(texts()).toEqual(["new"]);
  tail.stop();
});

describe("Tail on a real agent", () => {
  it("uses little memory for a line of 50 MB, and continues after it", async () => {
    const code = "head -c 52428800 /dev/zero | tr '\\0' x; echo; echo '{\"after\":true}'";
    const { dir } = await agent(code);
    await exitOfDir(dir);
    const before = process.memoryUsage();
    let peak = 0;
    const { tail, seen } = follow(files(dir).out, { lineLimit: 4 * MB });
    const timer = setInterval(() => {
      const { rss, external, heapUsed, arrayBuffers } = process.memoryUsage();
      peak = Math.max(
        peak,
        Math.min(rss - before.rss, external + heapUsed + arrayBuffers - before.external - before.heapUsed),
      );
    }, 1);
    tail.start();
    await tail.finish();
    clearInterval(timer);
    expect(seen).toEqual([
      { kind: "oversize", size: 50 * MB, head: "x".repeat(512), end: 50 * MB + 1 },
      { kind: "line", text: '{"after":true}', end: 50 * MB + 16 },
    ]);
    expect(peak).toBeLessThan(30 * MB);
  });

  it("delivers garbage unchanged", async () => {
    const bytes = [0xff, 0xfe, 0x00, 0x0a, 0x7b, 0x0a, 0x80, 0x80];
    const { dir } = await started(request("node", ["-e", `process.stdout.write(Buffer.from([${bytes}]))`]));
    await exitOfDir(dir);
    const { tail, texts } = follow(files(dir).out);
    tail.start();
    await tail.finish();
    expect(texts()).toEqual(["\ufffd\ufffd\0", "{", "\ufffd\ufffd"]);
  });
});
