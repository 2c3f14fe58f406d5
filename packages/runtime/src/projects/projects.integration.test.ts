import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const daemon = new TestDaemon();
beforeAll(async () => {
  await daemon.start();
});
afterAll(() => daemon.dispose());

let made = 0;
function makeRepository(files: Record<string, string> = {}): string {
  const folder = join(realpathSync(daemon.cwd), `repository-${++made}`);
  mkdirSync(join(folder, ".gantry"), { recursive: true });
  for (const [path, text] of Object.entries({ "readme.md": "hello\n", ...files }))
    writeFileSync(join(folder, path), text);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "pipe" });
  git("init", "--quiet", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", "first");
  return folder;
}

const create = (cwd: string, more: object = {}) => daemon.client.sessions.create({ agent: "scripted", cwd, ...more });
const find = async (root: string) =>
  (await daemon.client.projects.list()).projects.find((project) => project.root === root);

it("lists the repositories of sessions, with lanes and folders below the root as parts of them", async () => {
  const root = makeRepository({ ".gantry/keep": "" });
  mkdirSync(join(root, "deep"));
  await create(join(root, "deep"));
  const lane = await daemon.client.call("createLane", { body: { cwd: root, name: "one" } });
  await create(root, { cwd: undefined, lane: lane.id });
  const project = await find(root);
  expect(project).toMatchObject({ name: `repository-${made}`, sessions: 2, pinned: false, repository: true });
  expect(project?.folders.some((folder) => lane.path.startsWith(`${folder}/`))).toBe(true);
  const { projects } = await daemon.client.projects.list();
  expect(projects.some(({ root: other }) => other === lane.path)).toBe(false);
});

it("has a folder outside of a repository only after it was added, and none of Gantry's own folders", async () => {
  const folder = join(realpathSync(daemon.cwd), "plain");
  mkdirSync(folder);
  await create(folder);
  expect(await find(folder)).toBeUndefined();
  const { id } = await daemon.client.projects.add({ path: folder });
  expect(await find(folder)).toMatchObject({ id, repository: false, sessions: 1 });
  await expect(daemon.client.projects.change(id, { check: "true" })).rejects.toMatchObject({ code: "invalid" });
  await expect(daemon.client.projects.add({ path: join(daemon.home, "gantry") })).rejects.toMatchObject({
    code: "invalid",
  });
  expect(await daemon.client.projects.remove(id)).toEqual({ removed: true });
  await expect(daemon.client.projects.get(id)).rejects.toMatchObject({ code: "no_such_project" });
});

it("stores name, colour and pins, and drops the pin of a deleted session", async () => {
  const root = makeRepository();
  const [one, two] = [await create(root), await create(root)];
  const { id = "" } = (await find(root)) ?? {};
  const body = { name: "Shop", color: "violet" as const, pinned: true, pin: [two.id, one.id] };
  expect(await daemon.client.projects.change(id, body)).toMatchObject({
    ...{ name: "Shop", color: "violet", pinned: true },
    pins: [two.id, one.id],
  });
  expect((await daemon.client.projects.list()).projects[0]).toMatchObject({ id });
  await daemon.client.sessions.delete(two.id);
  expect(await daemon.client.projects.get(id)).toMatchObject({ pins: [one.id] });
  expect(await daemon.client.projects.change(id, { unpin: [one.id], name: null, pinned: false })).toMatchObject({
    pins: [],
    name: `repository-${made}`,
  });
});

it("writes defaults into project.yml, where new sessions read them, and nowhere else", async () => {
  const root = makeRepository();
  const { id } = await daemon.client.projects.add({ path: join(root, ".gantry") });
  const changed = await daemon.client.projects.change(id, { agent: "scripted", mode: "auto-edit", name: "Mine" });
  expect(changed).toMatchObject({ defaults: { agent: "scripted", mode: "auto-edit" }, withheld: [] });
  expect(readFileSync(join(root, ".gantry/project.yml"), "utf8")).toBe(
    "defaults:\n  agent: scripted\n  mode: auto-edit\n",
  );
  expect(await daemon.client.sessions.create({ cwd: root })).toMatchObject({ agent: "scripted", mode: "auto-edit" });
  await expect(daemon.client.projects.change(id, { agent: "unknown", name: "Other" })).rejects.toMatchObject({
    code: "invalid",
  });
  expect(await daemon.client.projects.get(id)).toMatchObject({ name: "Mine" });
});

it("shows the commands of a cloned repository as untrusted, and none of them runs before the user trusts it", async () => {
  const ran = join(daemon.home, "ran");
  const root = makeRepository({ ".gantry/lane.yml": `setup: touch ${ran}\ncheck: touch ${ran}\n` });
  const { id } = await daemon.client.projects.add({ path: root });
  expect(await daemon.client.projects.get(id)).toMatchObject({
    setup: { command: `touch ${ran}`, trusted: false },
    check: { command: `touch ${ran}`, trusted: false },
  });
  const lane = await daemon.client.call("createLane", { body: { cwd: root, name: "first" } });
  const state = async () => (await daemon.client.call("getLane", { params: { id: lane.id } })).setup?.state;
  await expect.poll(state).toBe("untrusted");
  await daemon.client.projects.change(id, { name: "Named", pinned: true });
  expect(existsSync(ran)).toBe(false);
});

it("trusts the command that a person writes, not the other one of the file", async () => {
  const root = makeRepository({ ".gantry/lane.yml": "# mine\nsetup: sh evil.sh\n" });
  const { id } = await daemon.client.projects.add({ path: root });
  expect(await daemon.client.projects.change(id, { check: "npm test" })).toMatchObject({
    setup: { trusted: false },
    check: { command: "npm test", trusted: true },
  });
  expect(readFileSync(join(root, ".gantry/lane.yml"), "utf8")).toBe("# mine\nsetup: sh evil.sh\ncheck: npm test\n");
  const cleared = await daemon.client.projects.change(id, { check: null, setup: null });
  expect([cleared.check, cleared.setup]).toEqual([undefined, undefined]);
});

it("lists neither lanes nor Gantry's own folders among the recent folders", async () => {
  const root = makeRepository();
  const lane = await daemon.client.call("createLane", { body: { cwd: root, name: "recent" } });
  await create(root, { cwd: undefined, lane: lane.id });
  const own = join(daemon.home, "gantry", "scratch");
  mkdirSync(own, { recursive: true });
  await create(own);
  const { recent } = await daemon.client.call("listFolders", { query: {} });
  const paths = recent.map(({ path }) => path);
  expect(paths).toContain(root);
  expect(paths.filter((path) => path.startsWith(join(daemon.home, "gantry")) || path === lane.path)).toEqual([]);
});
