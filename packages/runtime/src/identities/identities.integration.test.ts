import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Envelope } from "@gantry/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const open: TestDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

async function startDaemon(): Promise<TestDaemon> {
  const daemon = new TestDaemon();
  open.push(daemon);
  return daemon.start();
}

/** The prompts as they were written to the agent's process, in order. */
function promptsOf(daemon: TestDaemon): string[] {
  const database = new DatabaseSync(join(daemon.home, "gantry", "gantry.db"), { readOnly: true });
  const rows = database.prepare("SELECT frame FROM journal ORDER BY ordinal").all() as { frame: string }[];
  database.close();
  const frames = rows.map(({ frame }) => JSON.parse(frame) as { type: string; text: string });
  return frames.filter(({ type }) => type === "prompt").map(({ text }) => text);
}

const folder = (daemon: TestDaemon, ...path: string[]) => join(daemon.home, "gantry", "identities", ...path);
const notices = (events: readonly Envelope[]) =>
  events.flatMap((event) => (event.type === "notice" && event.data.kind === "standing" ? [event.data.text] : []));

async function sendText(daemon: TestDaemon, text: string, name = "keeper"): Promise<string> {
  const { session } = await daemon.client.identities.send(name, { text });
  await daemon.waitForIdle(session.id);
  return session.id;
}

/** Another daemon on the same home. The first call may meet a connection of the one before. */
async function again(daemon: TestDaemon): Promise<void> {
  await daemon.stop();
  await daemon.start();
  await expect.poll(() => daemon.client.health().catch(() => undefined), { timeout: 20_000 }).toBeDefined();
}

const KEEPER = { agent: "scripted", title: "The keeper", role: "lead" as const, persona: "You keep the light." };

describe("an identity", () => {
  it("has one session, which starts with its first message and is in no list of sessions", async () => {
    const daemon = await startDaemon();
    const { client } = daemon;
    const made = await client.identities.put("keeper", { ...KEEPER, memory: { "facts.md": "The lamp is green." } });
    expect(made).toMatchObject({ name: "keeper", role: "lead", mode: "ask", persona: KEEPER.persona });
    expect(made.session).toBeUndefined();
    const [one, two] = await Promise.all(
      ["[[text]] one", "[[text]] two"].map((text) => client.identities.send("keeper", { text })),
    );
    expect(one?.session).toMatchObject({ identity: "keeper", title: "The keeper", titleBy: "user", agent: "scripted" });
    expect(two?.session.id).toBe(one?.session.id);
    const id = one?.session.id ?? "";
    await daemon.waitForIdle(id);
    const plain = await daemon.session("scripted", "[[text]]");
    const ids = async (query: object) => (await client.sessions.list(query)).sessions.map((session) => session.id);
    expect(await ids({})).toEqual([plain.id]);
    expect(await ids({ identities: "1" })).toEqual([id]);
    expect((await ids({ identities: "all" })).sort()).toEqual([id, plain.id].sort());
    const { identities } = await client.identities.list();
    expect(identities).toMatchObject([{ name: "keeper", session: id, state: "idle", memory: [{ name: "facts.md" }] }]);
    await again(daemon);
    expect(await sendText(daemon, "[[text]] three")).toBe(id);
  });

  it("gets its persona and memory at the start, after a compaction and after a change", async () => {
    const daemon = await startDaemon();
    await daemon.client.identities.put("keeper", { ...KEEPER, memory: { "facts.md": "The lamp is green." } });
    const id = await sendText(daemon, "[[text]] one");
    await sendText(daemon, "[[compact]] two");
    await sendText(daemon, "/help [[text]]");
    await sendText(daemon, "[[text]] three");
    await sendText(daemon, "[[text]] four");
    writeFileSync(folder(daemon, "keeper", "memory", "facts.md"), "The lamp is red.");
    await sendText(daemon, "[[text]] five");
    await sendText(daemon, "[[text]] six");
    const prompts = promptsOf(daemon);
    const knows = prompts.map((text) => text.includes("You keep the light."));
    expect(knows).toEqual([true, false, false, true, false, true, false]);
    expect(prompts[0]).toMatch(/^<context>\n<identity name="keeper">\nYou are The keeper \(keeper\), a standing lead/);
    expect(prompts[0]).toContain("## facts.md\nThe lamp is green.");
    expect(prompts[2]).toBe("/help [[text]]");
    expect(prompts[3]).toContain("the conversation was compacted");
    expect(prompts[5]).toContain("The lamp is red.");
    const why = notices(await daemon.log(id));
    expect(why).toEqual([
      expect.stringContaining("the conversation was compacted"),
      expect.stringContaining("it has changed"),
    ]);
    const messages = (await daemon.log(id)).filter((event) => event.type === "message.user");
    expect(JSON.stringify(messages)).not.toContain("keep the light");
  });

  it("gets them again from the next daemon if the compaction happened before the restart", async () => {
    const daemon = await startDaemon();
    await daemon.client.identities.put("keeper", KEEPER);
    const id = await sendText(daemon, "[[text]] one");
    await sendText(daemon, "[[compact]] two");
    await daemon.client.sessions.close(id);
    await again(daemon);
    await sendText(daemon, "[[text]] three");
    await sendText(daemon, "[[text]] four");
    expect(promptsOf(daemon).map((text) => text.includes("You keep the light."))).toEqual([true, false]);
  });

  it("gets them in a conversation that is rebuilt or restarted", async () => {
    const daemon = await startDaemon();
    await daemon.client.identities.put("keeper", KEEPER);
    const id = await sendText(daemon, "[[text]] one");
    await daemon.client.sessions.close(id);
    rmSync(join(daemon.home, ".scripted-agent"), { recursive: true, force: true });
    await daemon.client.identities.send("keeper", { text: "[[text]] two" });
    const { inputs } = await daemon.waitUntil(id, ({ state }) => state === "waiting");
    await daemon.client.answer(inputs[0]?.id ?? "", { decision: "allow", answers: { continuity: "rebuild" } });
    await daemon.waitForIdle(id);
    const [prompt = ""] = promptsOf(daemon);
    expect(prompt).toContain("You keep the light.");
    expect(prompt).toContain("This conversation started earlier");
  });

  it("gets them through the agent's own mechanism, with write access to its memory folder", async () => {
    const daemon = await startDaemon();
    await daemon.client.identities.put("keeper", { ...KEEPER, agent: "claude" });
    const { session } = await daemon.client.identities.send("keeper", { text: "[[slow:40:50]] go" });
    await daemon.waitUntil(session.id, ({ handles }) => handles.claude !== undefined);
    const database = new DatabaseSync(join(daemon.home, "gantry", "gantry.db"), { readOnly: true });
    const { dir, pid } = database.prepare("SELECT dir, pid FROM processes").get() as { dir: string; pid: number };
    database.close();
    expect(readFileSync(join(dir, "given", "instructions.md"), "utf8")).toContain("You may change these files with");
    const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    expect(line[line.indexOf("--add-dir") + 1]).toBe(folder(daemon, "keeper", "memory"));
    await daemon.waitForIdle(session.id);
    expect(notices(await daemon.log(session.id))).toEqual([]);
  });

  it("applies changed settings with its next message, and keeps what a person changed in the session", async () => {
    const daemon = await startDaemon();
    const { client } = daemon;
    await client.identities.put("keeper", KEEPER);
    const id = await sendText(daemon, "[[text]] one");
    await client.sessions.patch(id, { mode: "plan" });
    await sendText(daemon, "[[text]] two");
    expect((await client.sessions.get(id)).mode).toBe("plan");
    await client.identities.put("keeper", { ...KEEPER, mode: "auto-edit", title: "Second keeper" });
    await sendText(daemon, "[[text]] three");
    expect(await client.sessions.get(id)).toMatchObject({ mode: "auto-edit", title: "Second keeper" });
  });

  it("passes its native controls to its session, and takes removed ones back with the next message", async () => {
    const daemon = await startDaemon();
    const { client } = daemon;
    await client.identities.put("keeper", { ...KEEPER, agent: "scripted", controls: { fast: "on" } });
    const id = await sendText(daemon, "[[text]] one");
    expect(await client.sessions.get(id)).toMatchObject({ controls: { fast: "on" } });
    await client.identities.put("keeper", { ...KEEPER, agent: "scripted", controls: { reach: "folder" } });
    await sendText(daemon, "[[text]] two");
    expect((await client.sessions.get(id)).controls).toEqual({ reach: "folder" });
    await client.identities.put("keeper", { ...KEEPER, agent: "scripted" });
    await sendText(daemon, "[[text]] three");
    expect((await client.sessions.get(id)).controls ?? {}).toEqual({});
    await expect(
      client.identities.put("keeper", { ...KEEPER, agent: "scripted", controls: { absent: "on" } }),
    ).rejects.toMatchObject({ code: "invalid" });
  });

  it("continues with another agent, which gets persona and memory, and back", async () => {
    const daemon = await startDaemon();
    const { client } = daemon;
    await client.identities.put("keeper", { ...KEEPER, agent: "claude" });
    const id = await sendText(daemon, "[[text]] one");
    await client.identities.put("keeper", { ...KEEPER, agent: "scripted" });
    await sendText(daemon, "[[text]] two");
    expect(await client.sessions.get(id)).toMatchObject({ agent: "scripted", identity: "keeper" });
    expect(promptsOf(daemon)[0]).toContain("You keep the light.");
    expect(promptsOf(daemon).slice(1).join()).not.toContain("You keep the light.");
    await client.identities.put("keeper", { ...KEEPER, agent: "claude", persona: "You keep the bell." });
    await sendText(daemon, "[[text]] three");
    const events = await daemon.log(id);
    expect(notices(events)).toEqual([expect.stringContaining("it has changed")]);
    expect(events.filter(({ type }) => type === "handoff.ended").map(({ data }) => data)).toMatchObject([
      { to: "scripted", outcome: "completed" },
      { to: "claude", strategy: "resume", outcome: "completed" },
    ]);
  });

  it("is deleted with its session archived, and keeps its memory unless that is purged", async () => {
    const daemon = await startDaemon();
    const { client } = daemon;
    await client.identities.put("keeper", { ...KEEPER, memory: { "facts.md": "Green." } });
    const id = await sendText(daemon, "[[text]] one");
    const gone = await client.identities.delete("keeper");
    expect(gone).toEqual({ deleted: true, archived: id, kept: folder(daemon, "keeper") }); // prose-ignore: API field
    expect((await client.sessions.get(id)).archived).toBe(true);
    expect(readFileSync(folder(daemon, "keeper", "memory", "facts.md"), "utf8")).toBe("Green.");
    await expect(client.identities.get("keeper")).rejects.toMatchObject({ code: "no_such_identity" });
    await expect(client.identities.delete("keeper")).rejects.toMatchObject({ code: "no_such_identity" });
    await client.identities.put("keeper", { agent: "scripted" });
    expect(await client.identities.get("keeper")).toMatchObject({
      persona: KEEPER.persona,
      memory: [{ text: "Green." }],
    });
    expect(await sendText(daemon, "[[text]] two")).not.toBe(id);
    expect(await client.identities.delete("keeper", true)).toMatchObject({ deleted: true });
    expect(existsSync(folder(daemon, "keeper"))).toBe(false);
  });

  it("is not deleted during a turn", async () => {
    const daemon = await startDaemon();
    await daemon.client.identities.put("keeper", KEEPER);
    const { session } = await daemon.client.identities.send("keeper", { text: "[[hang]]" });
    await expect(daemon.client.identities.delete("keeper")).rejects.toMatchObject({ code: "turn_running" });
    expect((await daemon.client.identities.get("keeper")).session).toBe(session.id);
  });
});

describe("the files of an identity", () => {
  it("are validated with line numbers, and one invalid file does not affect others", async () => {
    const daemon = await startDaemon();
    const { client } = daemon;
    await client.identities.put("keeper", KEEPER);
    await client.identities.put("other", { agent: "scripted" });
    writeFileSync(folder(daemon, "keeper", "identity.yml"), "name: keeper\nagent: scripted\nmoode: ask\n");
    const { identities, broken } = await client.identities.list();
    expect(identities.map(({ name }) => name)).toEqual(["other"]);
    expect(broken).toMatchObject([
      { name: "keeper", problems: [{ line: 3, message: expect.stringContaining("moode") }] },
    ]);
    await expect(client.identities.send("keeper", { text: "hi" })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("line 3"),
    });
    writeFileSync(folder(daemon, "other", "identity.yml"), "agent: scripted\nname: somebody\n");
    expect((await client.identities.list()).broken[1]).toMatchObject({ problems: [{ line: 2 }] });
  });

  it("are not written for an unknown agent or under an invalid name", async () => {
    const daemon = await startDaemon();
    await expect(daemon.client.identities.put("keeper", { agent: "unknown" })).rejects.toMatchObject({
      code: "no_such_agent",
    });
    expect(existsSync(folder(daemon, "keeper"))).toBe(false);
    for (const name of ["..", "a/b", "Upper", "%2e%2e"]) {
      const answer = daemon.client.identities.put(name, { agent: "scripted" });
      await expect(answer).rejects.toMatchObject({
        code: expect.stringMatching(/no_such_identity|not_found|invalid|bad_request/),
      });
    }
    const memory = { "../../../token": "x" };
    await expect(daemon.client.identities.put("keeper", { agent: "scripted", memory })).rejects.toMatchObject({
      code: "invalid",
    });
    expect(existsSync(folder(daemon, "keeper"))).toBe(false);
  });
});
