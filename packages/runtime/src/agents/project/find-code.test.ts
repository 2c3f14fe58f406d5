import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openTrustStore } from "@gantry/trust";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Agent, LaunchOptions } from "../contract.ts";
import { builtInAgents } from "../registry.ts";
import { findAgentCode } from "./find-code.ts";

const agent = (name: string, paths: string[], text: string[] = [], generated: string[] = []) =>
  ({ name, projectCode: { paths, text, generated } }) as unknown as Agent;
const one = agent("One", [".one", ".mcp.json"], [".one/NOTES.md", ".one/rules"]);
const two = agent("Two", [".mcp.json"]);

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-code-"));
  folder = join(home, "work", "repository", "inner");
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(name: string, text = "{}"): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
const find = (agents = [one, two]) => findAgentCode(agents, folder, home);
const files = () => find().map(({ command, name }) => `${name}: ${command}`);

test("lists the files of an agent in the folder and above it, but neither memory files nor the user's own", () => {
  write(".one/settings.json");
  write(".one/plugins/a.js");
  write(".one/plugins/node_modules/dep/index.js");
  write(".one/NOTES.md");
  write(".one/rules/deep/style.md");
  write("../.one/settings.json");
  write("../../../.one/settings.json");
  expect(files()).toEqual(["One: .one/plugins/a.js", "One: .one/settings.json", "One: .one/settings.json"]);
  expect(find().at(-1)?.file).toBe(join(dirname(folder), ".one/settings.json"));
});

test("lists a file that several agents read once, and nothing in a folder without such files", () => {
  expect(find()).toEqual([]);
  write(".mcp.json");
  expect(files()).toEqual(["One, Two: .mcp.json"]);
});

test("changes the hash with the content and with the programs that the file names", () => {
  write("tools/hook.sh", "#!/bin/sh\n");
  write(".one/settings.json", '{"hooks": {"start": "tools/hook.sh --fast"}}');
  const hash = () => find()[0]?.hash;
  const first = hash();
  expect(hash()).toBe(first);
  write("tools/hook.sh", "#!/bin/sh\nrm -rf /\n");
  expect(hash()).not.toBe(first);
  write("tools/hook.sh", "#!/bin/sh\n");
  expect(hash()).toBe(first);
  write(".one/settings.json", '{"hooks": {"start": "tools/hook.sh"}}');
  expect(hash()).not.toBe(first);
});

test("is covered by a record of the folder until a file changes or another one is added", () => {
  write(".one/settings.json");
  const store = openTrustStore(join(home, "gantry"));
  const isCovered = () => store.covers(folder, find());
  expect(isCovered()).toBe(false);
  store.trust(folder, find());
  expect(isCovered()).toBe(true);
  write(".one/agents/helper.md", "hooks:");
  expect(isCovered()).toBe(false);
  store.trust(folder, find());
  store.revoke(folder);
  expect(isCovered()).toBe(false);
});

test("does not count what the agent itself writes next to other code, and counts it alone", () => {
  const writes = agent("Writes", [".one"], [], [".one/package.json"]);
  write(".one/package.json");
  expect(find([writes]).map(({ command }) => command)).toEqual([".one/package.json"]);
  write(".one/plugin.js");
  expect(find([writes]).map(({ command }) => command)).toEqual([".one/plugin.js"]);
  const before = find([writes]);
  write(".one/package.json", '{"dependencies": {}}');
  expect(find([writes])).toEqual(before);
  write(".one/deep/package.json");
  expect(find([writes])).toHaveLength(2);
});

test("gives a JSON file the same hash when it is formatted or gets a schema, and another for any other change", () => {
  const hashOf = (text: string) => {
    write(".mcp.json", text);
    return find()[0]?.hash;
  };
  const schema = '{\n  "$schema": "https://example.com/config.json",';
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.constantFrom(0, 2), (config, indent) => {
      fc.pre(Object.keys(config)[0] !== "$schema");
      const text = JSON.stringify(config, null, indent);
      const first = hashOf(text);
      expect(hashOf(text.replace("{", () => schema))).toBe(first);
      expect(hashOf(JSON.stringify(config, null, 4))).toBe(first);
      expect(hashOf(`${text.slice(0, -1)}, "hook": "run"}`)).not.toBe(first);
      expect(hashOf(text.replace("{", '{"hook": "run",'))).not.toBe(first);
    }),
    { numRuns: 50 },
  );
  expect(hashOf('{"a": "x y"}')).not.toBe(hashOf('{"a": "xy"}'));
  expect(hashOf('{"a": 1, "a": 2}')).not.toBe(hashOf('{"a": 2}'));
  expect(hashOf('{\n// \n"a": 2}')).not.toBe(hashOf('{\n// "a": 2\n}'));
});

test("never trusts what cannot be read, and does not block", () => {
  mkdirSync(join(folder, ".one"));
  execFileSync("mkfifo", [join(folder, ".one/settings.json")]);
  symlinkSync("..", join(folder, ".one/loop"));
  const [first, second] = [find(), find()];
  expect(first.some(({ command }) => command === ".one/settings.json")).toBe(true);
  expect(first[0]?.hash).not.toBe(second[0]?.hash);
});

const options = { cwd: "/work/shop", dir: "/run/prc_1", uuid: "0a1b2c3d-0000-4000-8000-000000000000" };

test.each(
  builtInAgents.flatMap(({ id, channels, modes, otherwise }) => {
    // A session in a mode that the agent lacks runs in a lower one.
    const known = { ...modes, ...otherwise?.modes, ...otherwise?.lacks };
    return channels.flatMap((channel) =>
      (channel.ignoresProject?.modes ?? []).map((mode) => ({ id, channel, mode, offers: mode in known })),
    );
  }),
)("$id in $mode starts in another way if the project is not trusted", ({ channel, mode, offers }) => {
  const launch = (more: Partial<LaunchOptions>) => channel.launch({ ...options, mode, ...more });
  expect(offers).toBe(true);
  expect(launch({ project: "untrusted" })).not.toEqual(launch({}));
  expect(launch({ project: "untrusted" }).args.join(" ")).not.toContain("undefined");
});

test("every agent of another vendor states where a project can make it run code", () => {
  const without = builtInAgents.filter(({ projectCode, find: { bin } }) => bin.length > 0 && !projectCode);
  expect(without.map(({ id }) => id)).toEqual([]);
});
