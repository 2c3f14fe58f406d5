import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeAgentAsked, writeFakeAgent } from "@gantry/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestDaemon } from "../../test-daemon.ts";

const bin = mkdtempSync(join(tmpdir(), "gantry-going-on-"));
const env = { GANTRY_HERMES_BIN: writeFakeAgent({ dir: bin, dialect: "hermes", pace: 1 }) };
const here = new TestDaemon({ env });
const there = new TestDaemon({ env });
beforeAll(() => Promise.all([here.start(), there.start()]));
afterAll(async () => {
  await Promise.all([here.dispose(), there.dispose()]);
  rmSync(bin, { recursive: true });
});

it("imports the session of an identity as an ordinary session", async () => {
  for (const { client } of [here, there]) await client.identities.put("keeper", { agent: "scripted" });
  const { session } = await here.client.identities.send("keeper", { text: "[[text]] hello" });
  await here.waitForIdle(session.id);
  const file = new Uint8Array(await (await here.client.imports.exported(session.id)).arrayBuffer());
  const imported = await there.client.imports.file(file, { cwd: there.cwd });
  expect(imported.identity).toBeUndefined();
  const listed = (await there.client.sessions.list()).sessions.map(({ id }) => id);
  expect(listed).toContain(imported.id);
  expect((await there.client.identities.get("keeper")).session).toBeUndefined();
});

it("continues a session of another machine: its agent receives the earlier conversation", async () => {
  const { id } = await here.session("hermes", "[[text]] remember the heron", { mode: "full-auto" });
  await here.waitForIdle(id);
  const file = new Uint8Array(await (await here.client.imports.exported(id)).arrayBuffer());
  const session = await there.client.imports.file(file, { cwd: there.cwd });
  expect(session).toMatchObject({ id, state: "idle", mode: "ask", cwd: there.cwd, origin: "import", turns: 1 });
  await there.client.sessions.send(id, { text: "[[text]] what was it?" });
  const after = await there.waitUntil(id, ({ turns, state }) => turns === 2 && state === "idle");
  expect(after.lastTurn?.outcome).toBe("completed");
  expect(after.handles.hermes).toBeTruthy();
  const asked = readFileSync(join(there.home, fakeAgentAsked), "utf8").trimEnd().split("\n").at(-1) ?? "";
  expect(asked).toContain("remember the heron");
  expect(asked).toContain("what was it?");
  const types = (await there.log(id)).map(({ type }) => type);
  expect(types).not.toContain("input.requested");
});
