import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const daemon = new TestDaemon();
beforeAll(async () => {
  await daemon.start();
});
afterAll(() => daemon.dispose());

const start = (more: object = {}) =>
  daemon.client.sessions.create({ agent: "scripted", cwd: daemon.cwd, prompt: "[[text]] one", ...more });

describe("native controls of a session", () => {
  it("are data in the agent's row", async () => {
    const { agents } = await daemon.client.call("listAgents", { query: {} });
    const row = agents.find(({ id }) => id === "scripted");
    expect(row?.controls?.items.map(({ id, live }) => [id, live])).toEqual([
      ["fast", true],
      ["reach", false],
    ]);
  });

  it("apply from the start, and the session shows what the agent reports", async () => {
    const { id, controls } = await start({ controls: { fast: "on" } });
    expect(controls).toEqual({ fast: "on" });
    await daemon.waitForIdle(id);
    expect(await daemon.client.sessions.get(id)).toMatchObject({ controlsApplied: { fast: "on" } });
  });

  it("change in the running process, or with the next one", async () => {
    const { id } = await start();
    await daemon.waitForIdle(id);
    const fast = await daemon.client.sessions.patch(id, { controls: { fast: "on" } });
    expect(fast.applied).toEqual([{ field: "controls", value: { fast: "on" }, when: "now" }]);
    expect(fast.session.controlsApplied).toEqual({ fast: "on" });
    const reach = await daemon.client.sessions.patch(id, { controls: { reach: "folder" } });
    expect(reach.applied).toMatchObject([{ field: "controls", when: "next_start" }]);
    await daemon.client.sessions.send(id, { text: "[[text]] two" });
    await daemon.waitForIdle(id);
    expect((await daemon.client.sessions.get(id)).controlsApplied).toEqual({ fast: "on", reach: "folder" });
    const { session } = await daemon.client.sessions.patch(id, { controls: { fast: null, reach: null } });
    expect(session.controls).toEqual({});
  });

  it.each([
    ["a control that the agent lacks", { controls: { sandbox: "read-only" } }],
    ["a choice that the control lacks", { controls: { fast: "maybe" } }],
    ["more permission than the mode", { mode: "auto-edit", controls: { reach: "machine" } }],
    ["more permission than plan mode", { mode: "plan", controls: { reach: "machine" } }],
    ["more permission than the default mode", { controls: { reach: "machine" } }],
  ])("refuse %s", async (_, body) => {
    await expect(start(body)).rejects.toMatchObject({ code: "invalid" });
  });

  it("are withheld in a mode that does not permit them, and apply again above it", async () => {
    const { id } = await start({ mode: "full-auto", controls: { reach: "machine", fast: "on" } });
    await daemon.waitForIdle(id);
    expect((await daemon.client.sessions.get(id)).controlsApplied).toEqual({ fast: "on", reach: "machine" });
    await daemon.client.sessions.patch(id, { mode: "plan" });
    await daemon.client.sessions.close(id);
    const { events } = await daemon.client.call("sessionEvents", { params: { id }, query: {} });
    expect(JSON.stringify(events)).toContain("Reach machine needs the mode full-auto, and the mode is plan.");
    await daemon.client.sessions.send(id, { text: "[[text]] three" });
    await daemon.waitForIdle(id);
    const planned = await daemon.client.sessions.get(id);
    expect(planned.controls).toEqual({ reach: "machine", fast: "on" });
    expect(planned.controlsApplied).toEqual({ fast: "on" });
    await expect(daemon.client.sessions.patch(id, { controls: { reach: "machine" } })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  it("lower the applied mode of a session that they restrict", async () => {
    const { id, modeApplied } = await start({ mode: "full-auto", controls: { reach: "folder" } });
    expect(modeApplied).toBe("ask");
    await daemon.waitForIdle(id);
  });

  it("belong to a launch slot and to a fork of the same agent", async () => {
    const { id } = await start({ controls: { fast: "on" } });
    await daemon.waitForIdle(id);
    expect((await daemon.client.sessions.fork(id, {})).controls).toEqual({ fast: "on" });
  });
});
