import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { McpServer } from "@gantry/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KitRegistry } from "./registry.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "kit-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const file = () => join(home, "mcp.yml");
const registry = (env: Record<string, string> = {}) => new KitRegistry(home, env);
const names = (servers: readonly Pick<McpServer, "name">[]) => servers.map(({ name }) => name);
const messages = (problems: readonly { message: string }[]) => problems.map(({ message }) => message);

function writeSkill(name: string, head: string, folder = join(home, "skills", name)): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), `---\n${head}\n---\n\nDo it.\n`);
  return folder;
}

const FILE = `# What all agents get.
files:
  command: [npx, -y, server-files]   # the official one
  env: { ROOT: /srv, TOKEN: "\${FILES_TOKEN}" }

# Only for reviews.
issues:
  url: https://issues.example/mcp
  headers: { Authorization: "Bearer \${ISSUES_TOKEN}" }
  agents: [claude, codex]
old:
  command: [old]
  enabled: false
`;

describe("servers", () => {
  it("are empty without a file, and no file is created", () => {
    expect(registry().give("claude")).toEqual({ servers: [], skills: [], problems: [] });
    expect(existsSync(file())).toBe(false);
  });

  it("are given to the agents that they are for, with values from the environment", () => {
    writeFileSync(file(), FILE);
    const env = { FILES_TOKEN: "f-1", ISSUES_TOKEN: "i-1" };
    const { servers, problems } = registry(env).give("claude");
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([
      { name: "files", command: ["npx", "-y", "server-files"], env: { ROOT: "/srv", TOKEN: "f-1" } },
      { name: "issues", transport: "http", headers: { Authorization: "Bearer i-1" } },
    ]);
    expect(names(registry(env).give("pi").servers)).toEqual(["files"]);
  });

  it("whose variable is not set are left out, and the variable is named", () => {
    writeFileSync(file(), FILE);
    const { servers, problems } = registry({ FILES_TOKEN: "f" }).give("codex");
    expect(names(servers)).toEqual(["files"]);
    expect(messages(problems)).toEqual([expect.stringMatching(/server issues needs the variable ISSUES_TOKEN/)]);
    expect(messages(registry({ FILES_TOKEN: "f" }).give("pi").problems)).toEqual([]);
  });

  it("are listed without the values of variables and headers", () => {
    writeFileSync(file(), FILE.replace(/"\$.FILES_TOKEN."/, "plain-secret"));
    const list = registry({ ISSUES_TOKEN: "i" }).servers();
    expect(list.servers).toMatchObject([
      { name: "files", enabled: true, env: ["ROOT", "TOKEN"] },
      { name: "issues", agents: ["claude", "codex"], headers: ["Authorization"], transport: "http" },
      { name: "old", enabled: false },
    ]);
    expect(JSON.stringify(list)).not.toMatch(/secret|Bearer/);
  });

  it("that are invalid are reported with their line; the others are used", () => {
    writeFileSync(file(), `${FILE}bad:\n  command: npx\n  colour: red\nBig:\n  url: nonsense\n`);
    const { servers, problems } = registry({ FILES_TOKEN: "f", ISSUES_TOKEN: "i" }).servers();
    expect(names(servers)).toEqual(["files", "issues", "old"]);
    expect(messages(problems)).toEqual([
      expect.stringMatching(/mcp\.yml:15: bad\.command: /),
      expect.stringMatching(/mcp\.yml:16: bad\.colour: Unrecognized key/),
      expect.stringMatching(/mcp\.yml:17: Big: must be lower-case letters/),
    ]);
  });

  it("of an invalid YAML file are empty, and skills still work", () => {
    writeFileSync(file(), "files:\n  command: [npx\nmore: x\n");
    writeSkill("release", "name: release\ndescription: Makes a release.");
    const { servers, skills, problems } = registry().give("claude");
    expect([servers, names(skills)]).toEqual([[], ["release"]]);
    expect(messages(problems)).toEqual([expect.stringMatching(/line [234]/)]);
    expect(() => registry().putServer("x", { command: ["x"], enabled: true })).toThrow(/line [234]/);
    writeFileSync(file(), "- a\n- b\n");
    expect(registry().servers()).toMatchObject({ servers: [], problems: [{ code: "bad_mcp_file" }] });
    expect(() => registry().deleteServer("x")).toThrow(/not a list of servers by name/);
  });

  it("are written so that comments and the rest of the file stay", () => {
    writeFileSync(file(), FILE);
    registry().putServer("files", { command: ["other"], enabled: true });
    registry().putServer("new", { url: "https://new.example/mcp", transport: "sse", enabled: false });
    registry().deleteServer("old");
    const text = readFileSync(file(), "utf8");
    expect(text).toContain("# What all agents get.\nfiles:\n");
    expect(text).toContain("# Only for reviews.\nissues:\n");
    expect(text).toMatch(/Bearer \$\{ISSUES_TOKEN\}/);
    expect(text).not.toMatch(/old|enabled: true|server-files/);
    expect(registry({ ISSUES_TOKEN: "i" }).servers()).toMatchObject({
      servers: [
        { name: "files", command: ["other"] },
        { name: "issues" },
        { name: "new", transport: "sse", enabled: false },
      ],
      problems: [],
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(() => registry().deleteServer("old")).toThrow(/no MCP server `old`/);
  });

  it("are written into a new file, an empty one, and the one that a link points to", () => {
    const server = { command: ["serve", "--all"], enabled: true } as const;
    const settings = { ...server, command: [...server.command] };
    registry().putServer("a", settings);
    expect(readFileSync(file(), "utf8")).toBe("a:\n  command:\n    - serve\n    - --all\n");
    registry().deleteServer("a");
    registry().putServer("b", settings);
    expect(names(registry().servers().servers)).toEqual(["b"]);
    rmSync(file());
    const real = join(home, "dotfiles.yml");
    writeFileSync(real, "# mine\n");
    symlinkSync(real, file());
    registry().putServer("c", settings);
    expect(readFileSync(real, "utf8")).toMatch(/^# mine\n[\s\S]*c:/);
  });
});

describe("skills", () => {
  it("are the folders with a readable SKILL.md; the others are listed with their problem", () => {
    const folder = writeSkill("release", "name: release\ndescription: |\n  Makes a release.\nlicense: MIT");
    writeSkill("other", "name: another\ndescription: x");
    writeSkill("silent", "name: silent");
    mkdirSync(join(home, "skills", "empty"));
    symlinkSync(join(home, "nowhere"), join(home, "skills", "gone"));
    mkdirSync(join(home, "skills", "plain"));
    writeFileSync(join(home, "skills", "plain", "SKILL.md"), "# Only text\n");
    const { skills, problems } = registry().skills();
    expect(skills).toEqual([{ name: "release", description: "Makes a release.", path: folder, linked: false }]);
    expect(messages(problems)).toEqual([
      expect.stringMatching(/skill empty cannot be used: it has no SKILL\.md/),
      expect.stringMatching(/gone .* does not exist/),
      expect.stringMatching(/other .* is called another/),
      expect.stringMatching(/plain .* between two lines of ---/),
      expect.stringMatching(/silent .*SKILL\.md:\d+: description/),
    ]);
    expect(registry().give("pi").skills).toEqual([{ name: "release", description: "Makes a release.", path: folder }]);
  });

  it("are linked, linked again and unlinked; their folders stay", () => {
    const first = writeSkill("", "name: release\ndescription: One.", join(home, "a", "release"));
    const second = writeSkill("", "name: release\ndescription: Two.", join(home, "b", "any-name"));
    const row = registry().putSkill("release", first);
    expect(row).toEqual({ name: "release", description: "One.", path: first, linked: true });
    expect(registry().putSkill("release", second)).toMatchObject({ description: "Two." });
    expect(registry().skills()).toMatchObject({ skills: [{ path: second, linked: true }], problems: [] });
    registry().deleteSkill("release");
    expect(registry().skills().skills).toEqual([]);
    expect([first, second].every((folder) => existsSync(join(folder, "SKILL.md")))).toBe(true);
    expect(() => registry().deleteSkill("release")).toThrow(/no skill `release`/);
  });

  it("that are missing, unreadable or named differently are not linked", () => {
    const folder = writeSkill("", "name: release\ndescription: x", join(home, "a"));
    mkdirSync(join(home, "bare"));
    expect(() => registry().putSkill("release", "relative/path")).toThrow(/absolute/);
    expect(() => registry().putSkill("release", join(home, "none"))).toThrow(/does not exist/);
    expect(() => registry().putSkill("bare", join(home, "bare"))).toThrow(/has no SKILL\.md/);
    expect(() => registry().putSkill("other", folder)).toThrow(/is called release, not other/);
    expect(existsSync(join(home, "skills"))).toBe(false);
  });

  it("that lie in the home folder itself are neither covered nor removed", () => {
    const folder = writeSkill("release", "name: release\ndescription: x");
    const other = writeSkill("", "name: release\ndescription: y", join(home, "a"));
    expect(() => registry().putSkill("release", other)).toThrow(/not a link/);
    expect(() => registry().deleteSkill("release")).toThrow(/would lose it/);
    expect(existsSync(join(folder, "SKILL.md"))).toBe(true);
  });
});
