import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../command-line.harness.ts";
import { settingsOf } from "./servers.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-kit-")));
const gantry = commandLine(home);
const SLOW = 120_000;

afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(home, { recursive: true, force: true });
}, SLOW);

const REFERENCE = `Bearer \${TOKEN}`;

test("builds a command or an HTTP server from flags", () => {
  expect(settingsOf({ sse: false, env: ["A=b=c"], agent: ["claude"] }, ["npx", "x"])).toEqual({
    command: ["npx", "x"],
    env: { A: "b=c" },
    agents: ["claude"],
    enabled: true,
  });
  expect(settingsOf({ sse: true, url: "https://x.example", header: [`Authorization: ${REFERENCE}`] }, [])).toEqual({
    url: "https://x.example",
    transport: "sse",
    headers: { Authorization: REFERENCE },
    enabled: true,
  });
  for (const wrong of [
    () => settingsOf({ sse: false }, []),
    () => settingsOf({ sse: false, url: "https://x.example" }, ["npx"]),
    () => settingsOf({ sse: true }, ["npx"]),
    () => settingsOf({ sse: false, url: "https://x.example", env: ["A=b"] }, []),
    () => settingsOf({ sse: false, env: ["=b"] }, ["npx"]),
  ])
    expect(wrong).toThrow();
});

test(
  "servers are added, listed without their values, and removed",
  async () => {
    const added = await gantry([
      "servers",
      "add",
      "files",
      "--env",
      "KEY=hush",
      "--agent",
      "claude",
      "--",
      "npx",
      "-y",
    ]);
    expect(added).toMatchObject({ status: 0, stdout: expect.stringContaining("files: npx -y") });
    const listed = await gantry(["servers"]);
    expect(listed.stdout).toMatch(/files\s+claude\s+npx -y/);
    const json = await gantry(["servers", "ls", "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({
      servers: [{ name: "files", enabled: true, agents: ["claude"], command: ["npx", "-y"], env: ["KEY"] }],
      problems: [],
    });
    expect(json.stdout + listed.stdout).not.toContain("hush");
    expect(readFileSync(join(home, "mcp.yml"), "utf8")).toContain("hush");
    expect((await gantry(["__complete", "--", "servers", "rm", "f"])).stdout).toContain("files");
    expect((await gantry(["servers", "add", "Bad Name", "--", "x"])).status).not.toBe(0);
    expect((await gantry(["servers", "add", "x"])).status).toBe(2);
    expect(await gantry(["servers", "rm", "files"])).toMatchObject({ status: 0, stdout: "removed: files\n" });
    const gone = await gantry(["servers", "rm", "files"]);
    expect([gone.status === 0, gone.stderr]).toEqual([false, expect.stringContaining("no MCP server `files`")]);
  },
  SLOW,
);

test(
  "skills are linked by the name in their file, listed, and unlinked; mistakes are shown",
  async () => {
    const folder = join(home, "work", "some-folder");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), "---\nname: release\ndescription: Makes a release.\n---\nDo it.\n");
    expect(await gantry(["skills", "add", folder])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("release: Makes a release."),
    });
    expect((await gantry(["skills"])).stdout).toMatch(/release\s+Makes a release\./);
    mkdirSync(join(home, "skills", "empty"));
    const { skills, problems } = JSON.parse((await gantry(["skills", "--json"])).stdout);
    expect(skills).toEqual([{ name: "release", description: "Makes a release.", path: folder, linked: true }]);
    expect(problems).toMatchObject([{ code: "bad_skill" }]);
    expect((await gantry(["skills", "add", home])).status).toBe(2);
    expect((await gantry(["skills", "rm", "release"])).status).toBe(0);
    expect(existsSync(join(folder, "SKILL.md"))).toBe(true);
  },
  SLOW,
);
