import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "@gantry/protocol";
import { afterEach, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const open: TestDaemon[] = [];
afterEach(async () => {
  for (const daemon of open.splice(0)) await daemon.dispose();
});

async function startDaemon(env: Record<string, string> = {}): Promise<TestDaemon> {
  const daemon = new TestDaemon({ env });
  open.push(daemon);
  return daemon.start();
}

const SECRETIVE = `files: { command: [serve], env: { TOKEN: '\${FILES_TOKEN}' } }\n`;

const write = (daemon: TestDaemon, text: string) => writeFileSync(join(daemon.home, "gantry", "mcp.yml"), text);
const kitNotices = (events: readonly Envelope[]) =>
  events.flatMap((event) => (event.type === "notice" && event.data.kind === "kit" ? [event.data.text] : []));

it("starts an agent without server support without servers, with one notice for each set of servers", async () => {
  const daemon = await startDaemon();
  write(daemon, "files: { command: [serve] }\n");
  const { id } = await daemon.session("scripted", "[[text]] one");
  await daemon.waitForIdle(id);
  for (const text of ["two", "three"]) {
    await daemon.client.sessions.close(id);
    if (text === "three") write(daemon, "files: { command: [serve] }\nweb: { url: 'https://x.example' }\n");
    await daemon.client.sessions.send(id, { text: `[[text]] ${text}` });
    await daemon.waitForIdle(id);
  }
  const notices = kitNotices(await daemon.log(id));
  expect(notices).toEqual([
    expect.stringMatching(/ does not support MCP servers: files is not available to it\.$/),
    expect.stringMatching(/ does not support MCP servers: files, web are not available to it\.$/),
  ]);
});

it("starts a session with the valid entries of an invalid file, and publishes a notice", async () => {
  const daemon = await startDaemon({ FILES_TOKEN: "hush" });
  write(daemon, `bad: { command: serve }\n${SECRETIVE}`);
  const { id } = await daemon.session("claude", "[[slow:40:50]] go");
  await daemon.waitUntil(id, (session) => session.turn !== undefined && session.handles.claude !== undefined);
  const [process = ""] = readdirSync(join(daemon.home, "gantry", "spool", id));
  const given = join(daemon.home, "gantry", "spool", id, process, "given", "mcp.json");
  expect(JSON.parse(readFileSync(given, "utf8"))).toEqual({
    mcpServers: { files: { type: "stdio", command: "serve", args: [], env: { TOKEN: "hush" } } },
  });
  expect(statSync(given).mode & 0o777).toBe(0o600);
  await daemon.waitForIdle(id);
  const events = await daemon.log(id);
  expect(kitNotices(events)).toEqual([expect.stringMatching(/mcp\.yml:1: bad\.command: /)]);
  expect(events.findLast(({ type }) => type === "turn.ended")?.data).toMatchObject({ outcome: "completed" });
  expect(JSON.stringify(events)).not.toContain("hush");
  await daemon.client.sessions.close(id);
  await expect.poll(() => existsSync(given), { timeout: 20_000 }).toBe(false);
});

it("a variable that is not set leaves its server out, and is named", async () => {
  const daemon = await startDaemon();
  write(daemon, SECRETIVE);
  const { id } = await daemon.session("claude", "[[text]] go");
  await daemon.waitForIdle(id);
  expect(kitNotices(await daemon.log(id))).toEqual([
    expect.stringMatching(/server files needs the variable FILES_TOKEN/),
  ]);
});

it("gives a session its own servers, which replace shared ones of the same name, and stores them in no event", async () => {
  const daemon = await startDaemon();
  write(daemon, "files: { command: [shared] }\nother: { command: [other] }\n");
  // Values of a session are used unchanged, also one that looks like a reference.
  const TOKEN = `\${HUSH}-hush`;
  const servers = { files: { command: ["own"], env: { TOKEN } } };
  const prompt = "[[slow:40:50]] go";
  const { id } = await daemon.client.sessions.create({ agent: "claude", cwd: daemon.cwd, prompt, servers });
  await daemon.waitUntil(id, (session) => session.turn !== undefined && session.handles.claude !== undefined);
  const [process = ""] = readdirSync(join(daemon.home, "gantry", "spool", id));
  const given = join(daemon.home, "gantry", "spool", id, process, "given", "mcp.json");
  const { mcpServers } = JSON.parse(readFileSync(given, "utf8"));
  expect(mcpServers).toMatchObject({ other: { command: "other" }, files: { command: "own", env: { TOKEN } } });
  expect(await daemon.waitForIdle(id)).toMatchObject({ servers: ["files"] });
  expect(JSON.stringify(await daemon.log(id))).not.toContain("hush");

  const { lastSeq } = await daemon.client.sessions.get(id);
  const same = await daemon.client.sessions.patch(id, { servers });
  expect(same).toMatchObject({ applied: [{ field: "servers", when: "now" }], session: { lastSeq } });
  const fork = await daemon.client.sessions.fork(id, { files: "none" });
  expect(fork).toMatchObject({ servers: ["files"] });
  const none = await daemon.client.sessions.patch(id, { servers: {} });
  expect(none).toMatchObject({
    applied: [{ field: "servers", value: [], when: "next_start" }],
    session: { servers: [] },
  });
  await expect(
    daemon.client.sessions.patch(id, { servers: { "Not valid": { command: ["x"] } } }),
  ).rejects.toMatchObject({
    code: "invalid",
  });
});
