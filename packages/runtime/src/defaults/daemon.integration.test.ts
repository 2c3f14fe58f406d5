import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const daemon = new TestDaemon({ config: "# mine\nqueueLimit: 3\n" });
beforeAll(async () => {
  await daemon.start();
});
afterAll(() => daemon.dispose());
afterEach(() =>
  daemon.client.defaults.set({ scope: "user", agent: null, mode: null, model: null, controls: { fast: null } }),
);

let made = 0;
function makeProject(yaml?: string): string {
  const folder = join(daemon.cwd, `project-${++made}`);
  mkdirSync(join(folder, ".git"), { recursive: true });
  mkdirSync(join(folder, "src"), { recursive: true });
  mkdirSync(join(folder, ".gantry"));
  if (yaml !== undefined) writeFileSync(join(folder, ".gantry", "project.yml"), yaml);
  return folder;
}

const create = (cwd: string, more: object = {}) => daemon.client.sessions.create({ cwd, ...more });

it("creates a session without an agent from the project's defaults, also below its root", async () => {
  const cwd = makeProject("defaults: { agent: scripted, model: scripted-mini, mode: plan }\n");
  expect(await create(join(cwd, "src"))).toMatchObject({ agent: "scripted", model: "scripted-mini", mode: "plan" });
  expect(await create(cwd, { mode: "ask" })).toMatchObject({ mode: "ask" });
});

it("writes the user's defaults into config.yml and keeps its comments", async () => {
  const body = { scope: "user", agent: "scripted", mode: "auto-edit", controls: { fast: "on" } } as const;
  expect(await daemon.client.defaults.set(body)).toMatchObject({
    agent: "scripted",
    mode: "auto-edit",
    controls: { fast: "on" },
    sources: { agent: "user", mode: "user", controls: "user" },
  });
  expect(readFileSync(join(daemon.home, "gantry", "config.yml"), "utf8")).toMatch(/^# mine\n[\s\S]*agent: scripted/);
  expect(await create(makeProject())).toMatchObject({ agent: "scripted", mode: "auto-edit", controls: { fast: "on" } });
});

it("drops configured defaults with null: the agent's own settings and the mode ask apply", async () => {
  const body = { scope: "user", agent: "scripted", model: "scripted-mini", mode: "plan" } as const;
  await daemon.client.defaults.set({ ...body, controls: { fast: "on", reach: "folder" } });
  const cwd = makeProject();
  expect(await create(cwd, { mode: "full-auto" })).toMatchObject({
    model: "scripted-mini",
    controls: { fast: "on", reach: "folder" },
  });
  const dropped = await create(cwd, { model: null, mode: null, controls: { fast: null } });
  expect(dropped).toMatchObject({ agent: "scripted", mode: "ask" });
  expect(dropped.model).toBeUndefined();
  expect(dropped.controls?.fast).toBeUndefined();
  const one = await create(cwd, { mode: "full-auto", controls: { fast: null } });
  expect(one).toMatchObject({ model: "scripted-mini", controls: { reach: "folder" } });
  const patched = await daemon.client.sessions.patch(one.id, { model: null });
  expect(patched).toMatchObject({ applied: [{ field: "model", value: null, when: "next_start" }] });
  expect(patched.session.model).toBeUndefined();
  await daemon.client.defaults.set({ scope: "user", controls: { reach: null } });
});

it("falls back to the agent last used in the folder", async () => {
  const cwd = makeProject();
  await create(cwd, { agent: "claude" });
  expect(await daemon.client.defaults.get({ cwd })).toMatchObject({ agent: "claude", sources: { agent: "last" } });
  expect((await create(cwd)).agent).toBe("claude");
});

it("switches titles by a model off for a project or for the user, and a project cannot switch them on", async () => {
  const cwd = makeProject();
  expect(await daemon.client.defaults.get({ cwd })).toMatchObject({ titles: true });
  expect(await daemon.client.defaults.set({ scope: "project", cwd, titles: false })).toMatchObject({ titles: false });
  expect(readFileSync(join(cwd, ".gantry", "project.yml"), "utf8")).toMatch(/titles:\n\s+model: false/);
  await daemon.client.defaults.set({ scope: "user", titles: false });
  expect(await daemon.client.defaults.set({ scope: "project", cwd, titles: true })).toMatchObject({ titles: false });
  expect(await daemon.client.defaults.set({ scope: "user", cwd, titles: null })).toMatchObject({ titles: true });
});

it("uses permissions of a project only after the user trusted them", async () => {
  const cwd = makeProject("defaults: { agent: scripted, mode: full-auto, controls: { fast: on } }\n");
  const { id, mode, controls } = await create(cwd);
  expect([mode, controls]).toEqual(["ask", undefined]);
  const { events } = await daemon.client.call("sessionEvents", { params: { id }, query: {} });
  expect(JSON.stringify(events)).toContain("not used before you have trusted them");
  expect(await daemon.client.call("getTrust", { query: { path: cwd } })).toMatchObject({
    items: [{ name: "defaults", command: "mode full-auto, fast=on" }],
  });
  await daemon.client.trust.put({ path: cwd, decision: "trust" });
  expect(await create(cwd)).toMatchObject({ mode: "full-auto", controls: { fast: "on" } });
  writeFileSync(join(cwd, ".gantry", "project.yml"), "defaults: { agent: scripted, mode: auto-edit }\n");
  expect((await create(cwd)).mode).toBe("ask");
});

it("trusts what a person sets for a project through Gantry", async () => {
  const cwd = makeProject();
  await daemon.client.defaults.set({ scope: "project", cwd, agent: "scripted", mode: "full-auto" });
  expect(await create(cwd)).toMatchObject({ agent: "scripted", mode: "full-auto" });
  await daemon.client.defaults.set({ scope: "project", cwd, for: "scripted", mode: "plan" });
  expect((await create(cwd)).mode).toBe("plan");
});

it("leaves out default controls that the mode does not permit, and reports mistakes in the project's file", async () => {
  await daemon.client.defaults.set({ scope: "user", agent: "scripted", controls: { reach: "machine", fast: "on" } });
  expect((await create(makeProject())).controls).toEqual({ fast: "on" });
  await daemon.client.defaults.set({ scope: "user", controls: { reach: null } });
  const broken = makeProject("defaults: { agnet: scripted }\n");
  const { withheld } = await daemon.client.defaults.get({ cwd: broken });
  expect(withheld.join()).toContain("agnet");
  expect((await create(broken)).agent).toBe("scripted");
});

it("leaves out a default effort that the model does not have, and refuses such an effort of the request", async () => {
  const cwd = makeProject("defaults: { agent: scripted, effort: enormous }\n");
  const { id, effort } = await create(cwd);
  expect(effort).toBeUndefined();
  const { events } = await daemon.client.call("sessionEvents", { params: { id }, query: {} });
  expect(events.filter(({ type }) => type === "notice")).toMatchObject([
    { data: { kind: "defaults", text: expect.stringContaining("The default effort enormous is not used") } },
  ]);
  expect(await create(cwd, { effort: "high" })).toMatchObject({ effort: "high" });
  await expect(create(cwd, { effort: "enormous" })).rejects.toMatchObject({ code: "invalid" });
});

it("refuses unknown agents and modes, and changes nothing", async () => {
  const change = (body: object) => daemon.client.defaults.set({ scope: "user", ...body } as never);
  await expect(change({ agent: "unknown" })).rejects.toMatchObject({ code: "invalid" });
  await expect(change({ mode: "yolo" })).rejects.toMatchObject({ code: "invalid" });
  await expect(change({})).rejects.toMatchObject({ code: "invalid" });
  await expect(change({ scope: "project", mode: "ask" })).rejects.toMatchObject({ code: "invalid" });
});

it("refuses to change a project that is not a folder, also where a folder could be created", async () => {
  const cwd = makeProject();
  const gone = join(cwd, "gone", "deep");
  for (const place of ["relative", gone, join(cwd, "file"), "/proc/self/gone"]) {
    const change = daemon.client.defaults.set({ scope: "project", cwd: place, mode: "plan" });
    await expect(change).rejects.toMatchObject({ code: "invalid" });
  }
  expect(existsSync(gone)).toBe(false);
  await expect(daemon.client.defaults.get({ cwd: "relative" })).rejects.toMatchObject({ code: "invalid" });
  expect(await daemon.client.defaults.get({ cwd: gone })).toMatchObject({ mode: "ask", withheld: [] });
});

it("writes a project's defaults only into a regular file of the project", async () => {
  const outside = join(daemon.cwd, "outside");
  mkdirSync(outside);
  const file = (cwd: string) => join(cwd, ".gantry", "project.yml");
  const replacements = [
    (cwd: string) => symlinkSync(join(outside, "new.yml"), file(cwd)),
    (cwd: string) => mkdirSync(file(cwd)),
    (cwd: string) => {
      rmSync(join(cwd, ".gantry"), { recursive: true });
      symlinkSync(outside, join(cwd, ".gantry"));
    },
    (cwd: string) => {
      rmSync(join(cwd, ".gantry"), { recursive: true });
      writeFileSync(join(cwd, ".gantry"), "");
    },
  ];
  for (const replace of replacements) {
    const cwd = makeProject();
    replace(cwd);
    const change = daemon.client.defaults.set({ scope: "project", cwd, mode: "plan" });
    await expect(change).rejects.toMatchObject({ code: "conflict" });
  }
  expect(readdirSync(outside)).toEqual([]);
});

it("does not use a file above a folder that is in no checkout", async () => {
  const above = makeProject("defaults: { agent: scripted, mode: plan }\n");
  rmSync(join(above, ".git"), { recursive: true });
  expect(await daemon.client.defaults.get({ cwd: above })).toMatchObject({ mode: "plan" });
  expect(await daemon.client.defaults.get({ cwd: join(above, "src") })).toMatchObject({ mode: "ask" });
});
