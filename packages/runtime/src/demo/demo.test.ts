import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";
import { makeProject, projectDiff } from "./project.ts";

const daemon = new TestDaemon();
const folders: string[] = [];
beforeAll(async () => {
  await daemon.start();
});
afterAll(async () => {
  await daemon.dispose();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

it("is a session in a separate project that asks before it writes", async () => {
  const { id, cwd } = await daemon.client.sessions.demo();
  folders.push(cwd);
  expect(existsSync(join(cwd, "src/rates.js"))).toBe(true);
  const { inputs, title } = await daemon.waitUntil(id, (session) => session.inputs.length > 0);
  expect(title).toBe("Demo");
  expect(await projectDiff(cwd)).toBe("");
  await daemon.client.answer(inputs[0]?.id ?? "", { decision: "allow" });
  expect((await daemon.waitForIdle(id)).lastTurn?.outcome).toBe("completed");
  expect(await projectDiff(cwd)).toContain("+++ b/NOTES.md");
});

it("is one session for one id, also when it is asked for twice at once", async () => {
  const [first, second] = await Promise.all([1, 2].map(() => daemon.client.sessions.demo("ses_demo")));
  const third = await daemon.client.sessions.demo("ses_demo");
  folders.push(third.cwd);
  expect([first?.cwd, second?.cwd]).toEqual([third.cwd, third.cwd]);
  expect((await daemon.client.sessions.list({ q: "ses_demo" })).sessions).toHaveLength(1);
  await daemon.client.sessions.create({ id: "ses_other", agent: "scripted", cwd: daemon.cwd });
  await expect(daemon.client.sessions.demo("ses_other")).rejects.toMatchObject({ code: "conflict" });
});

it("reports that git is missing for the comparison", async () => {
  const folder = await makeProject();
  folders.push(folder);
  rmSync(join(folder, ".git"), { recursive: true });
  expect(await projectDiff(folder)).toBeUndefined();
});
