import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { AvailableAgent } from "@gantry/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locateAgent } from "../finding/locate.ts";
import { LoginShell } from "../finding/login-shell.ts";
import { entryInstallCommand } from "../finding/setup-commands.ts";
import { ProfileFiles } from "../profile-files.ts";
import { checkProfile } from "../profiles.ts";
import { builtInAgents, profileBases } from "../registry.ts";
import { listedCommand, listedProfile, programFolder } from "./listed-agent.ts";
import { copied, listedAgents } from "./listed-agents.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "listed agents "));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const profiles = () => new ProfileFiles({ home, agents: builtInAgents, bases: profileBases, onChange() {} });
const others = listedAgents.filter(({ builtIn }) => builtIn === undefined);

it("has every agent once, sorted by id, and the day of the copy", () => {
  const ids = listedAgents.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  expect(copied).toMatch(/^\d{4}-\d\d-\d\d$/);
});

describe.each(listedAgents.map((listed) => [listed.id, listed] as const))("%s", (id, listed) => {
  it("is complete and comes from one source, in an exact version", () => {
    expect([listed.npm, listed.uv, listed.program].filter((source) => source !== undefined)).toHaveLength(1);
    expect(listed.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(listed.website).toMatch(/^https:\/\//);
    expect(listedCommand(listed).every((part) => part !== "")).toBe(true);
    const row = profiles()
      .available()
      .agents.find((agent) => agent.id === id);
    expect(AvailableAgent.safeParse(row).error).toBeUndefined();
  });

  it("refers to a built-in agent that exists, and takes no id of another one", () => {
    const ids = builtInAgents.map((agent) => agent.id);
    if (listed.builtIn) expect(ids).toContain(listed.builtIn);
    else expect(ids).not.toContain(id);
  });
});

describe.each(others.map((listed) => [listed.id, listed] as const))("the profile of %s", (id, listed) => {
  it("is valid, and starts the program with its arguments and environment", () => {
    const entry = checkProfile(join(home, "agents", `${id}.yml`), listedProfile(listed), builtInAgents, profileBases);
    expect(entry.agent).toMatchObject({ id, name: listed.name });
    expect(entry.own?.command).toEqual(listedCommand(listed));
    expect(entry.env).toEqual(listed.env ?? {});
    const offer = entryInstallCommand(entry);
    if (listed.npm) expect(offer?.display).toContain(`${listed.npm}@${listed.version}`);
    else expect(offer).toBeUndefined();
  });
});

it("is missing until its package is installed, then runs the package's program", async () => {
  const listed = others.find(({ npm, args }) => npm && args);
  if (!listed?.npm) throw new Error("no package is listed");
  const path = join(home, "agents", `${listed.id}.yml`);
  const entry = checkProfile(path, listedProfile(listed), builtInAgents, profileBases);
  const env = { PATH: "/usr/bin:/bin", HOME: home };
  const shell = new LoginShell(env);
  expect((await locateAgent(entry, env, shell)).location).toMatchObject({
    state: "missing",
    problem: { code: "not_installed" },
  });
  const at = join(programFolder(home, listed.id), "node_modules", listed.npm);
  mkdirSync(join(at, "dist"), { recursive: true });
  writeFileSync(
    join(at, "package.json"),
    JSON.stringify({ bin: { other: "no.js", [basename(listed.npm)]: "dist/cli.js" } }),
  );
  writeFileSync(join(at, "dist", "cli.js"), "#!/bin/sh\n");
  chmodSync(join(at, "dist", "cli.js"), 0o755);
  expect((await locateAgent(entry, env, shell)).location).toMatchObject({
    state: "installed",
    command: [join(at, "dist", "cli.js"), ...(listed.args ?? [])],
  });
});

it("leaves a profile alone whose command a person changed", () => {
  const [listed] = others.filter(({ npm }) => npm);
  const text = `id: ${listed?.id}\nextends: acp\ncommand: [my-own, --acp]\n`;
  const entry = checkProfile(join(home, "agents", `${listed?.id}.yml`), text, builtInAgents, profileBases);
  expect(entry.own).not.toHaveProperty("program");
  expect(entryInstallCommand(entry)).toBeUndefined();
});

it("lists an added agent as added, and removes its package with the profile", () => {
  const files = profiles();
  const [listed] = others;
  if (!listed) throw new Error("no agent is listed");
  const added = () => files.available().agents.find(({ id }) => id === listed.id)?.added;
  expect(added()).toBe(false);
  files.put(listed.id, listedProfile(listed));
  expect(added()).toBe(true);
  const installed = join(programFolder(home, listed.id), "node_modules", "x");
  mkdirSync(dirname(installed), { recursive: true });
  files.delete(listed.id);
  expect(added()).toBe(false);
  expect(() => rmSync(programFolder(home, listed.id))).toThrow(/ENOENT/);
});
