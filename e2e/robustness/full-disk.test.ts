import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@gantry/client";
import { needs, SmallDisk } from "@gantry/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { findBreaches } from "../harness/laws.ts";
import { eventually } from "../harness/wait.ts";
import { DaemonHome } from "./daemon-home.ts";

const disk = SmallDisk.mount(48);
afterAll(() => disk?.unmount());

const CONFIG = "deadlines: { lostOutputSeconds: 4, stopSeconds: 1 }\ncheckpoints: { enabled: false }\n";

describe.runIf(disk)("a disk that fills", needs({ reason: "Mounting a small file system needs root." }), () => {
  let place: DaemonHome;
  let client: Client;

  beforeEach(async () => {
    place = new DaemonHome({ under: disk?.folder, config: CONFIG });
    client = await place.start();
  });
  afterEach(async () => {
    disk?.free();
    await place.dispose();
  });

  const events = async (id: string) => (await client.sessions.events(id, { limit: 10_000 })).events;
  const hasWorked = async (id: string) => {
    for await (const frame of client.follow(id)) if ("snapshot" in frame) return frame.snapshot.open.length > 0;
    return false;
  };

  it("during a turn is announced at once, and ends the turn whose end was lost", async () => {
    const { id } = await client.sessions.create({ agent: "scripted", cwd: place.cwd, prompt: "[[slow:80:50]]" });
    await eventually("the first output", () => hasWorked(id));
    const live: string[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const frame of client.follow(id, { signal: stop.signal }))
        if ("live" in frame && frame.live.type === "activity") live.push(frame.live.detail ?? "");
    })().catch(() => undefined);
    const before = await events(id);
    disk?.fill();
    const refilling = setInterval(() => disk?.fill(), 100);
    const filled = performance.now();
    const { stalled } = await eventually("the state of the session", async () => {
      const session = await client.sessions.get(id);
      return session.stalled ? session : undefined;
    });
    expect(performance.now() - filled).toBeLessThan(20_000);
    expect(stalled?.reason).toMatch(/disk is full/);
    await eventually("the live frame", () => live.some((text) => text.includes("disk is full")));
    const refusal = { status: 503, code: "storage_full", remedy: expect.stringMatching(/space/) };
    await expect(client.sessions.send(id, { text: "x" })).rejects.toMatchObject(refusal);
    await expect(client.sessions.create({ agent: "scripted", cwd: place.cwd })).rejects.toMatchObject(refusal);
    // The agent prints the end of the turn in this time.
    await sleep(10_000);
    clearInterval(refilling);
    disk?.free();

    const session = await eventually("the end of the turn", async () => {
      const now = await client.sessions.get(id);
      return now.state === "idle" ? now : undefined;
    });
    expect(session.stalled).toBeUndefined();
    stop.abort();
    await following;
    const log = await events(id);
    expect(log.slice(0, before.length)).toEqual(before);
    // A line that was written only in part is stored as raw.
    expect(findBreaches(log).filter((line) => !line.startsWith("raw (not JSON)"))).toEqual([]);
    const notices = log.flatMap((event) => (event.type === "notice" ? [event.data] : []));
    expect(notices).toContainEqual(expect.objectContaining({ kind: "storage", severity: "warning" }));
    expect(session.lastTurn).toMatchObject({
      outcome: "failed",
      error: { category: expect.stringMatching(/^(protocol|crashed)$/) },
    });
    // The session works again.
    await client.sessions.send(id, { text: "[[text]] again" });
    const again = await eventually("the next turn", async () => {
      const now = await client.sessions.get(id);
      return now.state === "idle" && now.turns === 2 ? now : undefined;
    });
    expect(again.lastTurn?.outcome).toBe("completed");
  });

  it("refuses every kind of write with 503 and leaves what was stored", async () => {
    const { id } = await client.sessions.create({ agent: "scripted", cwd: place.cwd, prompt: "[[text]] hi" });
    await eventually("the turn", async () => (await client.sessions.get(id)).lastTurn);
    const { lastSeq } = await client.sessions.get(id);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], { cwd: place.cwd });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
    const settings = await client.call("getSettings", {});
    writeFileSync(join(place.cwd, "picture.txt"), "x");
    const exported = new Uint8Array(await (await client.imports.exported(id)).arrayBuffer());
    disk?.fill();
    const profile = `id: quick\nextends: scripted\n# ${"x".repeat(60_000)}\n`;
    const writes: Record<string, () => Promise<unknown>> = {
      "a session": () => client.sessions.create({ agent: "scripted", cwd: place.cwd }),
      "a message": () => client.sessions.send(id, { text: "[[text]] more" }),
      "a title": () => client.sessions.patch(id, { title: "another title" }),
      "a profile": () => client.profiles.put("quick", profile),
      "an imported file": () => client.imports.file(exported),
      "a lane": () => client.lanes.create({ cwd: place.cwd, name: "full" }),
      "a schedule": () => client.call("createSchedule", { body: { session: id, text: "x", every: 3600 } }),
    };
    for (const [name, write] of Object.entries(writes))
      await expect(write(), name).rejects.toMatchObject({ status: 503, code: "storage_full" });
    expect((await client.sessions.get(id)).lastSeq).toBe(lastSeq);
    disk?.free();
    expect(await client.call("getSettings", {})).toEqual(settings);
    expect(await client.profiles.list()).toEqual([]);
    for (const [name, write] of Object.entries(writes)) await expect(write(), name).resolves.toBeDefined();
  });

  it("at the start of a daemon is reported with its remedy", async () => {
    await place.daemon?.kill("SIGTERM");
    disk?.fill();
    const { status, stderr, ms } = await place.run("ls");
    expect(status).toBe(3);
    expect(stderr).toMatch(/disk is full|no room/i);
    expect(stderr).toMatch(/Free some/);
    expect(ms).toBeLessThan(20_000);
    disk?.free();
    expect((await place.run("ls")).status).toBe(0);
    await place.run("stop");
  });
});
