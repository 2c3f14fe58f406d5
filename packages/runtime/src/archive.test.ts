import type { RouteQuery } from "@gantry/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "./test-daemon.ts";

const daemon = new TestDaemon();
beforeAll(async () => {
  await daemon.start();
});
afterAll(() => daemon.dispose());

const archive = (id: string, archived = true) => daemon.client.sessions.patch(id, { archived });

/** The ids of all pages. */
async function listIds(query: RouteQuery<"listSessions">): Promise<string[]> {
  const page = await daemon.client.sessions.list({ ...query, limit: 2 });
  const ids = page.sessions.map((session) => session.id);
  return page.nextCursor ? [...ids, ...(await listIds({ ...query, cursor: page.nextCursor }))] : ids;
}

describe("an archived session", () => {
  it("is left out of lists unless it is asked for, on every page", async () => {
    const ids = ["ses_1", "ses_2", "ses_3", "ses_4", "ses_5", "ses_6", "ses_7"];
    for (const id of ids) await daemon.client.sessions.create({ id, agent: "scripted", cwd: daemon.cwd });
    for (const id of ["ses_2", "ses_3", "ses_6"]) await archive(id);
    expect(await listIds({})).toEqual(["ses_7", "ses_5", "ses_4", "ses_1"]);
    expect(await listIds({ archived: "0" })).toEqual(["ses_7", "ses_5", "ses_4", "ses_1"]);
    expect(await listIds({ archived: "1" })).toEqual(["ses_6", "ses_3", "ses_2"]);
    expect(await listIds({ archived: "all" })).toEqual(ids.toReversed());
    const both = { archived: "both" } as unknown as RouteQuery<"listSessions">;
    await expect(daemon.client.sessions.list(both)).rejects.toMatchObject({ code: "invalid" });
  });

  it("has released its process, and comes back with a message", async () => {
    const { id } = await daemon.session("scripted", "[[text]] one");
    await daemon.waitForIdle(id);
    const { session, applied } = await archive(id);
    expect(session).toMatchObject({ archived: true, state: "idle" });
    expect(applied).toEqual([{ field: "archived", value: true, when: "now" }]);
    expect(await daemon.client.sessions.close(id)).toEqual({ released: false });
    await daemon.client.sessions.send(id, { text: "[[text]] two" });
    expect(await daemon.waitUntil(id, ({ turns, state }) => turns === 2 && state === "idle")).toMatchObject({
      archived: false,
      lastTurn: { outcome: "completed" },
    });
  });

  it("stays archived across a restart, and can be restored", async () => {
    await archive("ses_1");
    await daemon.stop();
    await daemon.start();
    expect(await daemon.client.sessions.get("ses_1")).toMatchObject({ archived: true });
    expect((await archive("ses_1", false)).session.archived).toBe(false);
  });

  it("is not made of one whose turn runs", async () => {
    const { id } = await daemon.session("scripted", "[[hang]] for ever");
    await expect(daemon.client.sessions.patch(id, { archived: true, title: "No" })).rejects.toMatchObject({
      code: "turn_running",
      remedy: expect.stringContaining("Interrupt"),
    });
    const session = await daemon.client.sessions.get(id);
    expect(session).toMatchObject({ archived: false, state: "running" });
    expect(session.title).not.toBe("No");
    await daemon.client.sessions.interrupt(id);
  });
});

describe("a session", () => {
  it("has its last line, and its agent's commands when requested alone", async () => {
    const { id } = await daemon.session("scripted", "[[text]] a line");
    const { lastSeq } = await daemon.waitForIdle(id);
    const session = await daemon.client.sessions.get(id);
    expect(session.last).toMatchObject({ kind: "agent", text: expect.stringContaining("The answer is 42.") });
    expect(session.last?.seq).toBeLessThanOrEqual(lastSeq);
    expect(session.commands?.map((command) => command.name)).toContain("compact");
    const { sessions } = await daemon.client.sessions.list({});
    expect(sessions[0]).toMatchObject({ id, last: session.last, archived: false });
    expect(sessions.every((one) => one.commands === undefined)).toBe(true);
  });

  it("has its last failure", async () => {
    const { id } = await daemon.session("scripted", "[[error:quota]]");
    const { last, lastTurn } = await daemon.waitUntil(id, (session) => session.lastTurn !== undefined);
    expect(lastTurn?.outcome).toBe("failed");
    expect(last?.kind).toBe("error");
  });
});
