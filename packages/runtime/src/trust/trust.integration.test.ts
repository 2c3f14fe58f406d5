import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FolderTrust } from "@gantry/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GitDaemon } from "../checkpoints/testing/git-daemon.ts";

vi.setConfig({ testTimeout: 120_000 });

let daemon: GitDaemon;
let canary: string;
beforeEach(async () => {
  daemon = new GitDaemon();
  canary = join(daemon.home, "canary");
  await daemon.start();
});
afterEach(() => daemon.dispose());

function write(name: string, text: string, mode = 0o644): void {
  const file = join(daemon.cwd, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}
function commit(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) write(name, text);
  daemon.git("add", "-A");
  daemon.git("commit", "-q", "-m", "files");
}
const touch = (name: string) => `echo ${name} >> '${canary}'`;
const effects = () => (existsSync(canary) ? readFileSync(canary, "utf8").trim().split("\n") : []);
const look = () => daemon.client.trust.get(daemon.cwd);
const settled = async (id: string) => {
  await expect
    .poll(async () => (await daemon.client.lanes.get(id)).setup.state, { timeout: 30_000 })
    .not.toBe("running");
  return daemon.client.lanes.get(id);
};

describe("the API", () => {
  it("lists what a folder would run, and trusts exactly that", async () => {
    commit({ ".gantry/lane.yml": `setup: ${touch("setup")}\ncheck: "true"\n` });
    daemon.git("config", "filter.x.smudge", touch("smudge"));
    write(".git/hooks/post-checkout", `#!/bin/sh\n${touch("hook")}\n`, 0o755);
    const found = await look();
    expect(found).toMatchObject({ path: daemon.cwd, state: "untrusted", dismissed: false, target: daemon.cwd });
    expect(found.items.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
      "check check",
      "filter x",
      "hook post-checkout",
      "setup-script setup-script",
    ]);
    expect(found.items.find(({ kind }) => kind === "filter")).toMatchObject({
      command: touch("smudge"),
      file: join(daemon.cwd, ".git/config"),
      trusted: false,
    });
    const trusted = await daemon.client.trust.put({ path: daemon.cwd, digest: found.digest });
    expect(trusted).toMatchObject({ state: "trusted", trustedAt: expect.any(String) });
    expect(await daemon.client.trust.list()).toMatchObject([{ path: daemon.cwd, items: 4 }]);
    daemon.git("config", "filter.x.smudge", `${touch("other")}`);
    expect(await look()).toMatchObject({ state: "changed" });
    expect((await look()).items.filter((item) => !item.trusted).map(({ kind }) => kind)).toEqual(["filter"]);
    expect(await daemon.client.trust.revoke(daemon.cwd)).toEqual({ path: daemon.cwd, revoked: true });
    expect(await look()).toMatchObject({ state: "untrusted" });
    expect(effects()).toEqual([]);
  });

  it("answers 409 when the content has changed since the look, and trusts nothing", async () => {
    commit({ ".gantry/lane.yml": "setup: echo one\n" });
    const { digest } = await look();
    write(".gantry/lane.yml", "setup: echo two\n");
    await expect(daemon.client.trust.put({ path: daemon.cwd, digest })).rejects.toMatchObject({ code: "conflict" });
    expect(await daemon.client.trust.list()).toEqual([]);
  });

  it("remembers not now for the same content", async () => {
    commit({ ".gantry/lane.yml": "setup: echo one\n" });
    const { digest } = await look();
    await daemon.client.trust.put({ path: daemon.cwd, digest, decision: "later" });
    expect(await look()).toMatchObject({ state: "untrusted", dismissed: true });
    write(".gantry/lane.yml", "setup: echo two\n");
    expect(await look()).toMatchObject({ dismissed: false });
  });

  it("refuses a session's own token for every call", async () => {
    const { id } = await daemon.client.sessions.create({ agent: "scripted", cwd: daemon.cwd });
    const file = join(daemon.home, "session-token");
    const command = ["sh", "-c", `printf %s "$GANTRY_TOKEN" > ${file}.part && mv ${file}.part ${file}`];
    await daemon.client.terminals.open({ session: id, command });
    await expect.poll(() => existsSync(file), { timeout: 30_000 }).toBe(true);
    const token = readFileSync(file, "utf8");
    expect(token).not.toBe("");
    for (const [method, path, body] of [
      ["GET", `/v1/trust?path=${daemon.cwd}`, undefined],
      ["PUT", "/v1/trust", JSON.stringify({ path: daemon.cwd })],
      ["DELETE", `/v1/trust?path=${daemon.cwd}`, undefined],
    ] as const) {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const { status } = await fetch(new URL(path, daemon.daemon.url), { method, headers, body });
      expect([method, status]).toEqual([method, 403]);
    }
    expect(await daemon.client.trust.list()).toEqual([]);
  });

  it("is not blocked by files that never end", async () => {
    mkdirSync(join(daemon.cwd, ".gantry"));
    execFileSync("mkfifo", [join(daemon.cwd, ".gantry/lane.yml"), join(daemon.cwd, ".git/hooks/post-checkout")]);
    chmodSync(join(daemon.cwd, ".git/hooks/post-checkout"), 0o755);
    symlinkSync("/dev/zero", join(daemon.cwd, ".git/hooks/pre-commit"));
    expect((await look()).items.map(({ name }) => name)).toEqual(["post-checkout"]);
    const { setup } = await settled((await daemon.client.lanes.create({ cwd: daemon.cwd, name: "one" })).id);
    expect(setup).toEqual({ state: "none" });
  });

  it("refuses what is not a folder", async () => {
    for (const path of ["relative", join(daemon.cwd, "missing"), join(daemon.cwd, "README.md")])
      await expect(daemon.client.trust.get(path)).rejects.toMatchObject({ code: "invalid" });
  });
});

describe("the set-up of a lane", () => {
  it("does not run in an untrusted repository, and starts when the user trusts it", async () => {
    commit({ ".gantry/lane.yml": `setup: ${touch("setup")}\n` });
    const { id } = await daemon.client.lanes.create({ cwd: daemon.cwd, name: "one" });
    expect(await settled(id)).toMatchObject({ state: "ready", setup: { state: "untrusted", command: touch("setup") } });
    await expect(daemon.client.lanes.runSetup(id)).rejects.toMatchObject({
      code: "untrusted",
      remedy: expect.stringContaining(`gantry trust ${daemon.cwd}`),
      details: { items: [{ kind: "setup-script", command: touch("setup") }] },
    });
    expect(effects()).toEqual([]);
    await daemon.client.trust.put({ path: daemon.cwd });
    await expect.poll(() => effects(), { timeout: 30_000 }).toEqual(["setup"]);
    expect(await settled(id)).toMatchObject({ setup: { state: "ok" } });
  });

  it("runs in new lanes of a trusted repository, and not with other content or after the trust is revoked", async () => {
    commit({ ".gantry/lane.yml": "setup: sh setup.sh\n", "setup.sh": `${touch("setup")}\n` });
    const { digest } = await look();
    await daemon.client.trust.put({ path: daemon.cwd, digest });
    const create = async (name: string) => settled((await daemon.client.lanes.create({ cwd: daemon.cwd, name })).id);
    expect(await create("one")).toMatchObject({ setup: { state: "ok" } });
    expect(effects()).toEqual(["setup"]);
    commit({ "setup.sh": `${touch("evil")}\n` });
    expect(await create("two")).toMatchObject({ setup: { state: "untrusted" } });
    commit({ "setup.sh": `${touch("setup")}\n`, ".gantry/lane.yml": `setup: ${touch("evil")}\n` });
    expect(await create("three")).toMatchObject({ setup: { state: "untrusted" } });
    commit({ ".gantry/lane.yml": "setup: sh setup.sh\n" });
    expect(await create("four")).toMatchObject({ setup: { state: "ok" } });
    await daemon.client.trust.revoke(daemon.cwd);
    expect(await create("five")).toMatchObject({ setup: { state: "untrusted" } });
    expect(effects()).toEqual(["setup", "setup"]);
  });

  it("offers the repository as the folder to trust if the lane has the same content, and else the lane", async () => {
    commit({ ".gantry/lane.yml": `setup: ${touch("setup")}\n` });
    const lane = await daemon.client.lanes.create({ cwd: daemon.cwd, name: "one" });
    const trustOf = (path: string): Promise<FolderTrust> => daemon.client.trust.get(path);
    expect(await trustOf(lane.path)).toMatchObject({ state: "untrusted", target: daemon.cwd });
    writeFileSync(join(lane.path, ".gantry/lane.yml"), `setup: ${touch("lane")}\n`);
    expect(await trustOf(lane.path)).toMatchObject({ target: lane.path });
    await daemon.client.trust.put({ path: lane.path });
    await expect.poll(() => effects(), { timeout: 30_000 }).toEqual(["lane"]);
    expect(await look()).toMatchObject({ state: "untrusted" });
  });
});

describe("filters and hooks", () => {
  const plant = () => {
    daemon.git("config", "user.name", "T");
    daemon.git("config", "user.email", "t@example.com");
    commit({ ".gitattributes": "*.txt filter=x\n", "a.txt": "a\n" });
    daemon.git("config", "filter.x.smudge", `${touch("smudge")}; tr a b`);
    daemon.git("config", "filter.x.clean", "tr b a");
    write(".git/hooks/post-checkout", `#!/bin/sh\n${touch("post-checkout")}\n`, 0o755);
    write(".git/hooks/pre-commit", `#!/bin/sh\n${touch("pre-commit")}\n`, 0o755);
  };

  it("run at the creation of a lane only if the repository is trusted with this content", async () => {
    plant();
    const create = (name: string) => daemon.client.lanes.create({ cwd: daemon.cwd, name });
    const first = await create("one");
    expect(first.notices.join()).toContain("the hook post-checkout");
    expect(first.notices.join()).toContain("the filter x");
    expect(readFileSync(join(first.path, "a.txt"), "utf8")).toBe("a\n");
    expect(effects()).toEqual([]);
    await daemon.client.trust.put({ path: daemon.cwd });
    const second = await create("two");
    expect(second.notices).toEqual([]);
    expect(readFileSync(join(second.path, "a.txt"), "utf8")).toBe("b\n");
    expect(effects().sort()).toEqual(["post-checkout", "smudge"]);
    rmSync(canary);
    write(".git/hooks/post-checkout", `#!/bin/sh\n${touch("evil")}\n`, 0o755);
    expect((await create("three")).notices.join()).toContain("the hook post-checkout");
    write(".git/hooks/post-checkout", `#!/bin/sh\n${touch("post-checkout")}\n`, 0o755);
    daemon.git("config", "core.sshCommand", touch("ssh"));
    await create("four");
    daemon.git("config", "--unset", "core.sshCommand");
    await daemon.client.trust.revoke(daemon.cwd);
    await create("five");
    expect(effects()).toEqual([]);
  });

  it("do not shape a landing of an untrusted repository, and hooks are withheld with a notice", async () => {
    plant();
    const lane = await daemon.client.lanes.create({ cwd: daemon.cwd, name: "one" });
    writeFileSync(join(lane.path, "b.md"), "b\n");
    await expect(daemon.client.landings.land(lane.id, { commit: true })).rejects.toMatchObject({
      code: "untrusted",
      message: expect.stringContaining("the filter x"),
    });
    daemon.git("config", "--remove-section", "filter.x");
    const landed = await daemon.client.landings.land(lane.id, { commit: true });
    expect(landed.notices.join()).toContain("the hook pre-commit");
    expect(existsSync(join(daemon.cwd, "b.md"))).toBe(true);
    expect(effects()).toEqual([]);
    await daemon.client.trust.put({ path: daemon.cwd });
    writeFileSync(join(lane.path, "c.md"), "c\n");
    expect((await daemon.client.landings.land(lane.id, { commit: true })).notices).toEqual([]);
    expect(effects()).toContain("pre-commit");
  });

  it("do not run through a link: hooks folders, hook files and included settings count with their content", async () => {
    commit({ "a.txt": "a\n" });
    write("tools/post-checkout", `#!/bin/sh\n${touch("linked")}\n`, 0o755);
    rmSync(join(daemon.cwd, ".git/hooks"), { recursive: true, force: true });
    symlinkSync(join(daemon.cwd, "tools"), join(daemon.cwd, ".git/hooks"));
    daemon.git("config", "include.path", "../included");
    write("included", `[filter "x"]\n\tsmudge = "${touch("included")}; cat"\n`);
    write(".git/info/attributes", "* filter=x\n");
    const create = (name: string) => daemon.client.lanes.create({ cwd: daemon.cwd, name });
    await create("one");
    expect(effects()).toEqual([]);
    await daemon.client.trust.put({ path: daemon.cwd });
    await create("two");
    expect([...new Set(effects())].sort()).toEqual(["included", "linked"]);
    rmSync(canary);
    write("tools/post-checkout", `#!/bin/sh\n${touch("evil")}\n`, 0o755);
    await create("three");
    write("tools/post-checkout", `#!/bin/sh\n${touch("linked")}\n`, 0o755);
    write("included", `[filter "x"]\n\tsmudge = "${touch("evil")}; cat"\n`);
    await create("four");
    expect(effects()).toEqual([]);
  });
});

it("does not run the check of an untrusted repository, and names it", async () => {
  commit({ ".gantry/lane.yml": `check: ${touch("check")}\n` });
  const slots = [{ agent: "scripted" }, { agent: "scripted" }];
  const launch = await daemon.client.launches.create({ cwd: daemon.cwd, prompt: "go", slots });
  await expect
    .poll(async () => (await daemon.client.launches.get(launch.id)).slots.every(({ lane }) => lane !== undefined), {
      timeout: 60_000,
    })
    .toBe(true);
  const run = () => daemon.client.launches.check(launch.id);
  await expect.poll(() => run().catch((error) => error.code), { timeout: 60_000 }).toBe("untrusted");
  expect(effects()).toEqual([]);
  await daemon.client.trust.put({ path: daemon.cwd });
  await run();
  await expect.poll(() => effects(), { timeout: 30_000 }).toEqual(["check", "check"]);
});
