import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@gantry/client";
import { afterEach, describe, expect, it } from "vitest";
import { TestDaemon } from "../../test-daemon.ts";

let daemon: TestDaemon;
afterEach(() => daemon.dispose());

async function begin(): Promise<{ folder: string; other: string }> {
  daemon = await new TestDaemon().start();
  const make = (name: string) => {
    mkdirSync(join(daemon.home, name));
    return realpathSync(join(daemon.home, name));
  };
  return { folder: make("library"), other: make("archive") };
}

const create = (more: object = {}) => daemon.client.sessions.create({ agent: "claude", cwd: daemon.cwd, ...more });
const notices = async (id: string) =>
  (await daemon.log(id)).flatMap((event) => (event.type === "notice" ? [event.data.text] : []));

describe("further folders", () => {
  it("stay with the session through a restart, a fork and a handoff", async () => {
    const { folder } = await begin();
    const session = await create({ folders: [folder], prompt: "[[text]] hello" });
    expect(session.folders).toEqual([folder]);
    await daemon.waitForIdle(session.id);
    await daemon.stop();
    await daemon.start();
    expect((await daemon.client.sessions.get(session.id)).folders).toEqual([folder]);
    const fork = await daemon.client.sessions.fork(session.id, {});
    expect(fork.folders).toEqual([folder]);
    await daemon.client.sessions.handOff(session.id, { agent: "codex" });
    await daemon.waitUntil(session.id, ({ agent, state }) => agent === "codex" && state === "idle");
    expect((await daemon.client.sessions.get(session.id)).folders).toEqual([folder]);
  });

  it("are replaced while no turn runs, and apply to the next process", async () => {
    const { folder, other } = await begin();
    const { id } = await create({ folders: [folder], prompt: "[[hang]]" });
    await daemon.waitUntil(id, ({ state }) => state === "running");
    const change = (folders: string[]) => daemon.client.sessions.patch(id, { folders });
    await expect(change([other])).rejects.toMatchObject({ code: "turn_running" });
    await daemon.client.sessions.interrupt(id);
    await daemon.waitForIdle(id);
    const { session, applied } = await change([other]);
    expect(session.folders).toEqual([other]);
    expect(applied).toContainEqual({ field: "folders", value: [other], when: "next_start" });
    await expect(change([join(daemon.home, "gantry")])).rejects.toMatchObject({ code: "not_permitted" });
    expect((await change([])).session.folders ?? []).toEqual([]);
  });

  it("are left out with a notice if they are gone when the agent starts", async () => {
    const { folder } = await begin();
    const { id } = await create({ folders: [folder] });
    renameSync(folder, `${folder}-moved`);
    await daemon.client.sessions.send(id, { text: "[[text]] hello" });
    await daemon.waitForIdle(id);
    expect(await notices(id)).toContainEqual(
      expect.stringContaining(`without the folder ${folder}: it does not exist`),
    );
  });

  it("need trust if they supply code for the agent", async () => {
    const { folder } = await begin();
    writeFileSync(join(folder, ".mcp.json"), '{"mcpServers":{"x":{"command":"sh"}}}');
    await expect(create({ folders: [folder] })).rejects.toMatchObject({
      code: "untrusted",
      details: { path: folder, items: [expect.objectContaining({ command: ".mcp.json" })] },
    });
    await daemon.client.trust.put({ path: folder });
    expect((await create({ folders: [folder] })).folders).toEqual([folder]);
  });

  it("of a spawned session lie inside of its parent's folders", async () => {
    const { folder, other } = await begin();
    mkdirSync(join(folder, "inner"));
    const { id } = await create({ agent: "scripted", folders: [folder] });
    const path = join(daemon.home, "env");
    await daemon.client.terminals.open({
      session: id,
      command: ["sh", "-c", `echo "$GANTRY_URL $GANTRY_TOKEN" > ${path}.part && mv ${path}.part ${path}`],
    });
    await expect.poll(() => readFileSync(path, "utf8"), { timeout: 30_000 }).toContain("http");
    const [url = "", token = ""] = readFileSync(path, "utf8").trim().split(" ");
    const agent = createClient({ url, token });
    const spawn = (folders: string[]) => agent.sessions.create({ agent: "scripted", folders });
    await expect(spawn([other])).rejects.toMatchObject({ code: "not_permitted" });
    await expect(spawn([join(folder, "inner"), other])).rejects.toMatchObject({ code: "not_permitted" });
    expect((await spawn([join(folder, "inner")])).folders).toEqual([join(folder, "inner")]);
    await expect(agent.sessions.patch(id, { folders: [other] })).rejects.toMatchObject({ code: "not_permitted" });
  });
});
