import { appendFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@gantry/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../harness/wait.ts";
import { DaemonHome } from "./daemon-home.ts";

const CONFIG = "deadlines: { lostOutputSeconds: 4, stopSeconds: 1 }\n";
const GIGABYTE = 1024 ** 3;

let place: DaemonHome;
let client: Client;
beforeEach(async () => {
  place = new DaemonHome({ config: CONFIG });
  client = await place.start();
});
afterEach(() => place.dispose());

/** The recording of the session's only process. */
function recordingOf(id: string): string {
  const folder = join(place.home, "spool", id);
  return join(folder, readdirSync(folder)[0] ?? "", "out");
}

async function startTurn(prompt: string): Promise<{ id: string; out: string }> {
  const { id } = await client.sessions.create({ agent: "scripted", cwd: place.cwd, prompt });
  await eventually("some output", () => {
    try {
      return statSync(recordingOf(id)).size > 500;
    } catch {
      return undefined;
    }
  });
  return { id, out: recordingOf(id) };
}

const idle = (id: string) =>
  eventually("the end of the turn", async () => {
    const session = await client.sessions.get(id);
    return session.state === "idle" && session.lastTurn ? session : undefined;
  });

const notices = async (id: string) =>
  (await client.sessions.events(id, { limit: 10_000 })).events.flatMap((event) =>
    event.type === "notice" ? [event.data.kind] : [],
  );

/** Numbers without gaps, and one end for each turn. */
async function expectSound(id: string): Promise<void> {
  const { events } = await client.sessions.events(id, { limit: 10_000 });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(count("turn.ended")).toBe(count("turn.started"));
}

describe("a recording that another program changes during a turn", () => {
  it.each([
    ["in the middle of a line", (out: string) => truncateSync(out, Math.floor(statSync(out).size / 2) + 7)],
    ["to nothing", (out: string) => truncateSync(out, 0)],
  ])("by cutting it %s is reported, and the turn ends", async (_, cut) => {
    const { id, out } = await startTurn("[[slow:60:50]]");
    cut(out);
    const session = await idle(id);
    expect(["completed", "failed"]).toContain(session.lastTurn?.outcome);
    expect(await notices(id)).toContain("storage");
    await expectSound(id);
    expect(["completed"]).toContain((await send(id)).lastTurn?.outcome);
  });

  it("by filling it with NUL bytes and a line of four gigabytes is read to its end", async () => {
    const { id, out } = await startTurn("[[slow:100:50]]");
    appendFileSync(out, Buffer.alloc(3000));
    truncateSync(out, statSync(out).size + 4 * GIGABYTE);
    appendFileSync(out, "\n");
    const session = await idle(id);
    expect(session.lastTurn?.outcome).toBe("completed");
    await expectSound(id);
  });
});

describe("a recording that another program changes while no daemon runs", () => {
  it.each([
    ["cut to nothing", (out: string) => truncateSync(out, 0)],
    ["cut within a line", (out: string) => truncateSync(out, Math.floor(statSync(out).size / 2) + 3)],
    ["deleted", (out: string) => rmSync(out)],
    [
      "replaced by garbage",
      (out: string) => {
        rmSync(out);
        writeFileSync(out, Buffer.from("garbage \0\0 {\n".repeat(3)));
      },
    ],
  ])("is %s: the daemon starts, reports it, and the turn ends", async (_, change) => {
    const { id, out } = await startTurn("[[slow:200:50]]");
    await place.daemon?.kill();
    change(out);
    client = await place.start();
    const session = await idle(id);
    expect(session.lastTurn).toBeDefined();
    await expectSound(id);
    expect((await send(id)).lastTurn?.outcome).toBe("completed");
  });
});

async function send(id: string) {
  await client.sessions.send(id, { text: "[[text]] again" });
  await eventually("the next turn", async () => ((await client.sessions.get(id)).turns >= 2 ? true : undefined));
  return idle(id);
}

describe("other damaged files", () => {
  it("a log of uncommitted pages full of garbage is ignored, and no number is missing", async () => {
    const { id } = await startTurn("[[text]] hello");
    await idle(id);
    await place.daemon?.kill();
    writeFileSync(join(place.home, "gantry.db-wal"), Buffer.alloc(100_000, 0xa5));
    client = await place.start();
    const { sessions } = await client.sessions.list();
    for (const session of sessions) await expectSound(session.id);
  });

  it("a missing blob leaves the beginning and the end of its text", async () => {
    const { id } = await client.sessions.create({
      ...{ agent: "scripted", cwd: place.cwd, mode: "full-auto", prompt: "[[bigoutput]]" },
    });
    await idle(id);
    expect(readdirSync(join(place.home, "blobs"))).not.toEqual([]);
    rmSync(join(place.home, "blobs"), { recursive: true, force: true });
    const { events } = await client.sessions.events(id, { limit: 10_000 });
    const [tool] = events.flatMap((event) => (event.type === "tool.ended" ? [event.data.item] : []));
    expect((await client.sessions.item(id, tool ?? "")).text).toMatch(/^x+[\s\S]*…[\s\S]*x+/);
  });
});
