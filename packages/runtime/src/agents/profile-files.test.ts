import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

const daemon = new TestDaemon();
const folder = join(daemon.home, "gantry", "agents");
beforeAll(async () => {
  await daemon.start();
});
afterAll(() => daemon.dispose());

const put = (id: string, text: string) => daemon.client.profiles.put(id, text);
const listStates = async () => (await daemon.client.agents.list()).map(({ id, state }) => `${id} ${state}`);
const GOOD = "# mine\nid: quick\nextends: scripted\nmodes: [ask]\n";

describe("a profile", () => {
  it("is stored unchanged, available at once, and deleted", async () => {
    const row = { id: "quick", path: join(folder, "quick.yml"), text: GOOD, problems: [] };
    expect(await put("quick", GOOD)).toEqual(row);
    expect(readFileSync(row.path, "utf8")).toBe(GOOD);
    expect(statSync(row.path).mode & 0o777).toBe(0o600);
    expect(await daemon.client.profiles.list()).toEqual([row]);
    expect((await daemon.client.agents.get("quick")).agent).toMatchObject({ state: "ready", modes: ["ask"] });
    const { id } = await daemon.client.sessions.create({ agent: "quick", cwd: daemon.cwd, prompt: "[[text]] hi" });
    expect((await daemon.waitForIdle(id)).lastTurn?.outcome).toBe("completed");
    await daemon.client.profiles.delete("quick");
    expect(await listStates()).not.toContain("quick ready");
    expect((await daemon.client.sessions.get(id)).agent).toBe("quick");
    await expect(daemon.client.profiles.delete("quick")).rejects.toMatchObject({ code: "no_such_profile" });
  });

  it.each([
    ["an unknown key", "id: other\nextends: scripted\n\ncolour: blue\n", 4, /colour/],
    ["a name that is not the file's", "id: another\nextends: scripted\n", 1, /must be other/],
    ["no such base", "id: other\nextends: unknown\n", 2, /must be one of/],
    ["broken YAML", "id: other\nextends: [scripted\n", 3, /./],
    ["nothing", "", 1, /./],
    ["a list", "- id: other\n", 1, /./],
    ["a reserved variable", "id: other\nextends: scripted\nenv:\n  GANTRY_HOME: /tmp\n", 4, /GANTRY_HOME/],
  ])("with %s is rejected with its line and not saved", async (_, text, line, message) => {
    const before = readdirSync(folder);
    await expect(put("other", text)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("was not saved"),
      details: expect.arrayContaining([{ line, message: expect.stringMatching(message) }]),
    });
    expect(readdirSync(folder)).toEqual(before);
  });

  it("with an error leaves the stored one unchanged", async () => {
    await put("quick", GOOD);
    await expect(put("quick", `${GOOD}colour: blue\n`)).rejects.toMatchObject({ details: [{ line: 5 }] });
    expect(readFileSync(join(folder, "quick.yml"), "utf8")).toBe(GOOD);
    await daemon.client.profiles.delete("quick");
  });

  it("cannot replace a built-in agent or be stored elsewhere", async () => {
    await expect(put("scripted", "id: scripted\nextends: scripted\n")).rejects.toMatchObject({ code: "invalid" });
    for (const id of ["../evil", "a/b", "A", "", "x".repeat(200)])
      await expect(put(id, GOOD)).rejects.toMatchObject({ code: expect.stringMatching(/invalid|not_found/) });
    expect(readdirSync(join(folder, ".."))).not.toContain("evil.yml");
  });

  it("that was edited by hand is listed with its errors and hides no other", async () => {
    writeFileSync(join(folder, "wrong.yml"), "id: wrong\nextends: scripted\ncolour: blue\n");
    writeFileSync(join(folder, "right.yaml"), "id: right\nextends: scripted\n");
    writeFileSync(join(folder, "right.yml"), "id: right\nextends: scripted\n");
    mkdirSync(join(folder, "folder.yml"));
    const rows = await daemon.client.profiles.list();
    expect(rows.map(({ id, problems }) => [id, problems.map(({ line }) => line)])).toEqual([
      ["folder", [1]],
      ["right", []],
      ["right", [1]],
      ["wrong", [3]],
    ]);
    await daemon.client.profiles.delete("right");
    expect(readdirSync(folder).sort()).toEqual(["folder.yml", "wrong.yml"]);
    await put("wrong", "id: wrong\nextends: scripted\n");
    expect(await listStates()).toContain("wrong ready");
  });
});
