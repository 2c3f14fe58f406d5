import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TrustItem } from "@gantry/trust";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TestDaemon } from "../../test-daemon.ts";
import type { CommandFiles } from "./declaration.ts";
import { readCommandFiles } from "./read-files.ts";

const FILES: CommandFiles = {
  root: { variable: "AGENT_DIR", path: ".agent" },
  folders: [
    { kind: "command", user: "commands", project: ".agent/commands" },
    { kind: "skill", user: "skills", project: ".agent/skills" },
    { kind: "style", user: "styles", project: ".agent/styles" },
  ],
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-commands-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

const read = (project?: string) => readCommandFiles(FILES, { home, env: {} }, project);
const names = async (project?: string) => (await read(project)).commands.map(({ name }) => name);

it("reads commands, skills and styles of the user and the project; the project wins", async () => {
  write(".agent/commands/deploy.md", '---\ndescription: "Ship it"\nargument-hint: [stage]\n---\ntext');
  write(".agent/commands/db/reset.md", "no head");
  write(".agent/skills/review/SKILL.md", "---\nname: review\ndescription: Reviews code\n---\n");
  write(".agent/styles/terse.md", "---\nname: Terse\n---\n");
  write("project/.agent/commands/deploy.md", "---\ndescription: Of the project\n---\n");
  expect(await read()).toEqual({
    commands: [
      { name: "db:reset", kind: "command", scope: "user" },
      { name: "deploy", description: "Ship it", hint: "[stage]", kind: "command", scope: "user" },
      { name: "review", description: "Reviews code", kind: "skill", scope: "user" },
    ],
    styles: [{ name: "Terse", scope: "user" }],
  });
  const { commands } = await read(join(home, "project"));
  expect(commands.filter(({ name }) => name === "deploy")).toEqual([
    { name: "deploy", description: "Of the project", kind: "command", scope: "project" },
  ]);
});

it("refuses FIFOs, links, huge files and folders that lead out of the project", async () => {
  write("secret/key.md", "---\ndescription: a secret\n---\n");
  write("project/.agent/commands/good.md", "fine");
  write("project/.agent/commands/huge.md", "x".repeat(100_000));
  const at = join(home, "project/.agent/commands");
  execFileSync("mkfifo", [join(at, "pipe.md")]);
  symlinkSync(join(home, "secret/key.md"), join(at, "link.md"));
  symlinkSync("/dev/zero", join(at, "endless.md"));
  symlinkSync(join(home, "secret"), join(at, "folder"));
  mkdirSync(join(at, "folder.md"));
  symlinkSync(join(home, "secret"), join(home, "project/.agent/skills"));
  expect(await names(join(home, "project"))).toEqual(["good"]);
  rmSync(join(home, "project/.agent"), { recursive: true });
  mkdirSync(join(home, "project/.agent"));
  symlinkSync(join(home, "secret"), join(home, "project/.agent/commands"));
  expect(await names(join(home, "project"))).toEqual([]);
});

it("never throws for any content, and returns bounded text without control characters", async () => {
  const content = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.string().map((text) => `---\ndescription: ${text}\n---`),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.stringMatching(/^[\w .:;$-]{1,30}$/), content), { maxLength: 4 }),
      async (files) => {
        for (const [name, text] of files) if (!/^\.+$/.test(name)) write(`.agent/commands/${name}.md`, text);
        for (const { name, description = "" } of (await read()).commands) {
          expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,99}$/);
          expect(description.length).toBeLessThanOrEqual(300);
          expect(description).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        }
        rmSync(join(home, ".agent"), { recursive: true, force: true });
      },
    ),
    { numRuns: 60 },
  );
});

describe("a daemon before the first turn", () => {
  const daemon = new TestDaemon();
  let code: TrustItem[] = [];
  beforeAll(async () => {
    daemon.findProjectCode = async () => code;
    mkdirSync(join(daemon.home, ".claude", "commands"), { recursive: true });
    writeFileSync(join(daemon.home, ".claude", "commands", "mine.md"), "---\ndescription: My own\n---\n");
    mkdirSync(join(daemon.cwd, ".claude", "commands"), { recursive: true });
    writeFileSync(join(daemon.cwd, ".claude", "commands", "theirs.md"), "do it");
    await daemon.start();
  });
  afterAll(() => daemon.dispose());

  it("lists the user's commands and styles, and the project's once it is trusted", async () => {
    const { client, cwd } = daemon;
    const list = async () => {
      const { commands, untrusted } = await client.agents.commands("claude", cwd);
      return { names: commands.map(({ name }) => name), untrusted };
    };
    const before = await list();
    expect(before.untrusted).toBe(true);
    expect(before.names).toContain("mine");
    expect(before.names).not.toContain("theirs");
    const { styles } = await client.agents.commands("claude");
    expect(styles.map(({ name }) => name)).toEqual(["default", "Explanatory", "Learning"]);
    await client.trust.put({ path: cwd });
    expect(await list()).toMatchObject({ untrusted: false, names: expect.arrayContaining(["mine", "theirs"]) });
    await expect(client.agents.commands("absent")).rejects.toMatchObject({ code: "no_such_agent" });
  });

  it("lists the commands of files for the own agent, those of a project only after its code was trusted", async () => {
    const { client, cwd, home } = daemon;
    const names = async () => {
      const { commands, untrusted } = await client.agents.commands("gantry", cwd);
      return { names: commands.map(({ name }) => name), untrusted };
    };
    process.env.GANTRY_AGENT_DIR = join(home, "own-agent");
    try {
      mkdirSync(join(home, "own-agent/commands"), { recursive: true });
      writeFileSync(join(home, "own-agent/commands/own.md"), "Do it.");
      mkdirSync(join(cwd, ".gantry/commands"), { recursive: true });
      writeFileSync(join(cwd, ".gantry/commands/shared.md"), "Do that.");
      const file = join(cwd, ".gantry/commands");
      code = [
        { kind: "extension", name: "project commands", file, command: "/shared", hash: "1", id: "extension:commands" },
      ];
      expect(await names()).toEqual({ names: ["own"], untrusted: true });
      await client.trust.put({ path: cwd });
      expect(await names()).toMatchObject({ names: expect.arrayContaining(["own", "shared"]), untrusted: false });
    } finally {
      delete process.env.GANTRY_AGENT_DIR;
    }
  });

  it("remembers what an agent reported in its last session of the folder", async () => {
    const { client, cwd } = daemon;
    const { id } = await daemon.session("claude", "[[text]] hello");
    await daemon.waitForIdle(id);
    const { commands: reported = [] } = await client.sessions.get(id);
    expect(reported.length).toBeGreaterThan(0);
    const known = (await client.agents.commands("claude", cwd)).commands.map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(reported.map(({ name }) => name)));
  });
});
