import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canBeCut, FifoWriter, hasReader } from "./fifo.ts";
import { exitOfDir, files, outputOf, playground, waitUntil } from "./testing/playground.ts";

const { agent, home } = playground();

describe("FifoWriter", () => {
  it("closes the pipe after each frame while the agent continues to read", async () => {
    const { dir } = await agent('while read -r line; do echo "got $line"; done');
    for (const word of ["one", "two", "three"]) {
      const writer = new FifoWriter({ path: files(dir).in });
      expect(await writer.writeFrame(`${word}\n`)).toEqual({ ok: true });
      await waitUntil(() => outputOf(dir).endsWith(`got ${word}\n`), word);
    }
    expect(outputOf(dir)).toBe("got one\ngot two\ngot three\n");
  });

  it("keeps order and loses nothing when frames are larger than the pipe", async () => {
    const { dir } = await agent("head -n 40 | cksum");
    const writer = new FifoWriter({ path: files(dir).in });
    const frames = Array.from({ length: 40 }, (_, i) => `${String(i).repeat(i * 4000 + 1)}\n`);
    const results = await Promise.all(frames.map((frame) => writer.writeFrame(frame)));
    expect(results.every((result) => result.ok)).toBe(true);
    await exitOfDir(dir);
    const expected = execFileSync("cksum", { input: frames.join(""), encoding: "utf8" });
    expect(outputOf(dir)).toBe(expected);
  });

  it("returns closed without a FIFO, after the agent ended, and after it closed its stdin", async () => {
    const nowhere = new FifoWriter({ path: join(home(), "in") });
    expect(await nowhere.writeFrame("x\n")).toMatchObject({ ok: false, reason: "closed", written: 0 });
    const { dir } = await agent("exec 0<&-; echo closed; exec sleep 1000");
    await waitUntil(() => outputOf(dir) === "closed\n", "close");
    expect(hasReader(files(dir).in)).toBe(false);
    const writer = new FifoWriter({ path: files(dir).in });
    expect(await writer.writeFrame("x\n")).toMatchObject({ ok: false, reason: "closed", written: 0 });
  });

  it("reports a reader that disappears in the middle of a frame", async () => {
    const { dir } = await agent("head -c 100000 >/dev/null; exec 0<&-; exec sleep 1000");
    const writer = new FifoWriter({ path: files(dir).in });
    const result = await writer.writeFrame(`${"x".repeat(1_000_000)}\n`);
    expect(result).toMatchObject({ ok: false, reason: "closed" });
    expect(result.ok || result.written).toBeGreaterThanOrEqual(100_000);
  });

  it("does not wait for ever for an agent that does not read, nor hold up the event loop", async () => {
    const { dir } = await agent("exec sleep 1000");
    const writer = new FifoWriter({ path: files(dir).in, stuckMs: 300 });
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const result = await writer.writeFrame(Buffer.alloc(1_000_000, "x"));
    clearInterval(timer);
    expect(result).toMatchObject({ ok: false, reason: "stuck" });
    expect(result.ok || result.written).toBeLessThan(1_000_000);
    expect(turns).toBeGreaterThan(3);
  });

  it("ends the line of a frame that went in partly before it writes the next", async () => {
    const gate = join(home(), "gate");
    const { dir } = await agent(
      `while [ ! -e ${gate} ]; do sleep 0.02; done; while read -r line; do echo "\${#line}"; done`,
    );
    const writer = new FifoWriter({ path: files(dir).in, stuckMs: 100 });
    const first = await writer.writeFrame(`${"x".repeat(500_000)}\n`);
    if (first.ok) throw new Error("the pipe cannot hold that much");
    execFileSync("touch", [gate]);
    const second = new FifoWriter({ path: files(dir).in, unfinished: true });
    expect(await second.writeFrame("hello\n")).toEqual({ ok: true });
    await waitUntil(() => outputOf(dir).split("\n").length === 3, "two lines");
    expect(outputOf(dir)).toBe(`${first.written}\n5\n`);
  });

  it("continues after its own partial frame without an offset", async () => {
    const gate = join(home(), "gate");
    const { dir } = await agent(
      `while [ ! -e ${gate} ]; do sleep 0.02; done; while read -r line; do echo "\${#line}"; done`,
    );
    const writer = new FifoWriter({ path: files(dir).in, stuckMs: 100 });
    const first = await writer.writeFrame(`${"x".repeat(500_000)}\n`);
    execFileSync("touch", [gate]);
    let second = await writer.writeFrame("hello\n");
    while (!second.ok) second = await writer.writeFrame("hello\n");
    await waitUntil(() => outputOf(dir).split("\n").length === 3, "two lines");
    expect(outputOf(dir)).toBe(`${first.ok || first.written}\n5\n`);
  });

  it("gives up what is left when it is stopped", async () => {
    const { dir } = await agent("exec sleep 1000");
    const writer = new FifoWriter({ path: files(dir).in });
    const large = writer.writeFrame(Buffer.alloc(1_000_000, "x"));
    const next = writer.writeFrame("x\n");
    writer.stop();
    expect(await large).toMatchObject({ ok: false, reason: "stopped" });
    expect(await next).toMatchObject({ ok: false, reason: "stopped", written: 0 });
  });
});

describe("canBeCut", () => {
  it("is false only for frames that a pipe takes whole or not at all", () => {
    expect(canBeCut("x".repeat(510))).toBe(false);
    expect(canBeCut("x".repeat(4095))).toBe(true);
    expect(canBeCut("ü".repeat(2048))).toBe(true);
  });
});
