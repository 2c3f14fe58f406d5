import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const run = promisify(execFile);
const START_ONCE = new URL("./start-once.ts", import.meta.url).pathname;
const PATIENCE_MS = 60_000;
const MOST_MEMORY = 400 * 1024 * 1024;
const CANARY = "hidden-from-the-model";

let home: string;
let cwd: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-files-")));
  cwd = join(home, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(home, "agent"));
  writeFileSync(join(home, ".netrc"), `machine x password ${CANARY}\n`);
  const models = [{ id: "plain", contextWindow: 200_000, maxTokens: 8192 }];
  const scripted = { baseUrl: "http://127.0.0.1:9", api: "openai-completions", auth: "none", models };
  writeFileSync(join(home, "agent/models.yml"), JSON.stringify({ providers: { scripted } }));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Files that the agent reads in a repository before the first message. */
const PLACES = [
  "AGENTS.md",
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  "CLAUDE.local.md",
  ".gantry/config.yml",
  ".gantry/secrets.yml",
  ".gantry/mcp.json",
  ".gantry/mcp.yml",
  ".gantry/rules/a.md",
  ".cursor/rules/a.mdc",
  ".cursorrules",
  ".windsurf/rules/a.md",
  ".windsurfrules",
  ".clinerules",
  ".gantry/skills/a/SKILL.md",
  ".gantry/extensions/a.ts",
  ".gantry/extensions/b/index.js",
  ".gantry/commands/a.md",
  ".gantry/hooks.json",
  ".claude/settings.json",
  ".claude/commands/a.md",
  "lsp.json",
  ".lsp.yaml",
  ".git/HEAD",
  ".git/config",
  ".git/index",
  ".git/commondir",
  ".git/info/exclude",
];

const BOMB = `a: &a [x, x]\n${[..."bcdefghijklmno"].map((name, at) => `${name}: &${name} [${`*${"abcdefghijklmno"[at]}, `.repeat(9)}x]`).join("\n")}\n`;

/** What a repository, or a program that prepared it, puts in such a place. */
const KINDS: Record<string, (path: string) => void> = {
  "a named pipe": (path) => execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdirSync(path),
  "a huge file": (path) => {
    writeFileSync(path, "x");
    truncateSync(path, 5 * 1024 ** 3);
  },
  "a device": (path) => symlinkSync("/dev/zero", path),
  "a terminal": (path) => symlinkSync("/dev/tty", path),
  "a link to itself": (path) => symlinkSync(path, path),
  "a dangling link": (path) => symlinkSync("/nowhere/at/all", path),
  "a file of /proc without an end": (path) => symlinkSync("/proc/self/pagemap", path),
  "a link to a folder with everything": (path) => symlinkSync("/", path),
  "a link to a credential": (path) => symlinkSync(join(home, ".netrc"), path),
  "a file of aliases that expand": (path) => writeFileSync(path, BOMB),
  "a file of NUL characters": (path) => writeFileSync(path, Buffer.alloc(300_000)),
};

async function startIn(folder: string) {
  const flags = ["--disable-warning=ExperimentalWarning", START_ONCE, home, folder, join(home, "agent")];
  const { stdout } = await run(process.execPath, flags, { timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as { problems: string[]; prompt: string; memory: number };
}

describe("a repository's file in another form", { timeout: 2 * PATIENCE_MS }, () => {
  for (const [kind, plant] of Object.entries(KINDS))
    it(`neither blocks nor bloats the start: ${kind}`, async () => {
      for (const place of PLACES) {
        mkdirSync(dirname(join(cwd, place)), { recursive: true });
        plant(join(cwd, place));
      }
      const { problems, prompt, memory } = await startIn(cwd);
      expect(memory).toBeLessThan(MOST_MEMORY);
      expect(prompt).not.toContain(CANARY);
      expect(prompt.length).toBeLessThan(8 * 1024 * 1024);
      if (kind === "a named pipe") {
        expect(problems.join("\n")).toMatch(/AGENTS\.md.*not a regular file/);
        expect(problems.join("\n")).toMatch(/config\.yml.*not a regular file/);
        expect(problems.join("\n")).toMatch(/SKILL\.md.*not a regular file/);
      }
    });

  it("neither blocks nor bloats the start: folders of rules and skills that are links to the whole disk", async () => {
    for (const place of [
      ...[".gantry/rules", ".gantry/skills", ".cursor/rules", ".windsurf/rules", ".clinerules"],
      ...[".gantry/extensions", ".gantry/commands", ".claude/commands"],
    ]) {
      mkdirSync(dirname(join(cwd, place)), { recursive: true });
      symlinkSync("/", join(cwd, place));
    }
    const { memory } = await startIn(cwd);
    expect(memory).toBeLessThan(MOST_MEMORY);
  });

  it("is read where it is a plain file or a link inside the project", async () => {
    writeFileSync(join(cwd, "NOTES.md"), "FROM THE NOTES");
    symlinkSync("NOTES.md", join(cwd, "AGENTS.md"));
    mkdirSync(join(cwd, ".gantry/rules"), { recursive: true });
    writeFileSync(join(cwd, ".gantry/rules/a.md"), "---\nalwaysApply: true\n---\nFROM THE RULE");
    const { problems, prompt } = await startIn(cwd);
    expect(problems).toEqual([]);
    expect(prompt).toContain("FROM THE NOTES");
    expect(prompt).toContain("FROM THE RULE");
  });
});
