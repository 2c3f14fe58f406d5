import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-identity-")));
const gantry = commandLine(home);
const SLOW = 120_000;

afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(home, { recursive: true, force: true });
}, SLOW);

test(
  "creates, shows, messages and removes an identity",
  async () => {
    const persona = join(home, "persona.txt");
    writeFileSync(persona, "You keep the light.");
    const made = await gantry(["identity", "new", "keeper", "-a", "scripted", "--persona", `@${persona}`]);
    expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining("keeper: scripted, ask") });
    expect(await gantry(["identity", "new", "keeper", "-a", "scripted"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("already"),
    });
    const sent = await gantry(["identity", "send", "keeper", "--wait", "[[text]] hello"]);
    expect(sent).toMatchObject({ status: 0, stdout: expect.stringContaining("42") });
    const shown = await gantry(["identity", "show", "keeper"]);
    expect(shown.stdout).toContain("You keep the light.");
    const { session } = JSON.parse((await gantry(["identity", "show", "keeper", "--json"])).stdout);
    expect((await gantry(["ls"])).stdout).toContain("No sessions");
    expect(JSON.parse((await gantry(["ls", "--identities", "--json"])).stdout).sessions).toMatchObject([
      { id: session },
    ]);
    expect((await gantry(["show", "keeper"])).stdout).toMatch(/identity +keeper/);
    expect((await gantry(["identity", "edit", "keeper", "--memory", "notes"])).stdout.trim()).toMatch(
      /memory\/notes\.md$/,
    );
    expect((await gantry(["identity", "edit", "keeper", "--memory", "../x"])).status).toBe(2);
    const removed = await gantry(["identity", "rm", "keeper"]);
    expect(removed.stdout).toMatch(/removed: keeper, its session \S+ is archived/);
    expect((await gantry(["identity", "show", "keeper"])).status).toBe(2);
  },
  SLOW,
);

test(
  "renames a session",
  async () => {
    await gantry(["run", "-a", "scripted", "[[text]] about lamps"]);
    expect(await gantry(["rename", "last", "My", "lamp"])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("My lamp"),
    });
    expect(JSON.parse((await gantry(["show", "last", "--json"])).stdout)).toMatchObject({
      title: "My lamp",
      titleBy: "user",
    });
    expect((await gantry(["rename", "last"])).status).toBe(2);
  },
  SLOW,
);
