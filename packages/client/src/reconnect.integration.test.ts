import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type DaemonProcess, startDaemonProcess } from "../../../e2e/harness/daemon-process.ts";
import { createClient } from "./client.ts";
import { discover } from "./node.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-reconnect-"));
const poll = { timeout: 60_000, interval: 20 };
let daemon: DaemonProcess | undefined;

afterEach(async () => {
  await daemon?.end("SIGTERM");
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<void> {
  daemon = await startDaemonProcess({ PATH: process.env.PATH ?? "", HOME: home, GANTRY_HOME: join(home, "gantry") });
}

it("calls onOpen when it connects, and again after the daemon was killed and restarted", async () => {
  await start();
  const client = createClient({ resolve: () => discover(join(home, "gantry")) });
  const { id } = await client.sessions.create({ agent: "scripted", cwd: home, title: "First title" });
  const stop = new AbortController();
  const states: string[] = [];
  const seqs: number[] = [];
  const follow = client.follow(id, {
    signal: stop.signal,
    backoffMs: 10,
    onOpen: () => states.push("open"),
    onReconnect: () => states.at(-1) !== "away" && states.push("away"),
  });
  const done = (async () => {
    for await (const frame of follow) if ("event" in frame) seqs.push(frame.event.seq);
  })();
  await expect.poll(() => [states, seqs], poll).toEqual([["open"], [1, 2]]);

  await daemon?.end("SIGKILL");
  await expect.poll(() => states, poll).toEqual(["open", "away"]);
  await start();
  await expect.poll(() => states, poll).toEqual(["open", "away", "open"]);
  await client.sessions.patch(id, { title: "Still there" });
  await expect.poll(() => seqs, poll).toEqual([1, 2, 3]);

  stop.abort();
  await done;
});

it("does not count a refusal as a connection", async () => {
  await start();
  const { url } = discover(join(home, "gantry"));
  let opened = 0;
  const follow = createClient({ url, token: "wrong" }).followAll({ onOpen: () => opened++ });
  await expect(follow.next()).rejects.toMatchObject({ code: "unauthorized" });
  expect(opened).toBe(0);
});
