import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { needs } from "@gantry/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../harness/wait.ts";
import { DaemonHome } from "./daemon-home.ts";

let place: DaemonHome;
beforeEach(() => {
  place = new DaemonHome();
});
afterEach(() => place.dispose());

/** Every file and folder that other users could use, except in work trees of lanes. */
function listLoose(folder: string, root = folder): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() || relative(root, path) === "lanes") return [];
    const { mode } = lstatSync(path);
    const own = (mode & 0o077) === 0 ? [] : [`${relative(root, path)} ${(mode & 0o777).toString(8)}`];
    return entry.isDirectory() ? [...own, ...listLoose(path, root)] : own;
  });
}

async function startWithOpenUmask() {
  const before = process.umask(0);
  try {
    return await place.start();
  } finally {
    process.umask(before);
  }
}

describe("files of the home folder", () => {
  it("belong to their owner alone after real work, whatever the umask", async () => {
    execFileSync("git", ["init", "-q"], { cwd: place.cwd });
    const client = await startWithOpenUmask();
    const { id } = await client.sessions.create({
      ...{ agent: "scripted", mode: "full-auto", cwd: place.cwd, prompt: "[[bash]] [[text]]" },
    });
    await eventually("the turn", async () => (await client.sessions.get(id)).lastTurn);
    await client.profiles.put("quick", "id: quick\nextends: scripted\n");
    await client.settings.change({ queueLimit: 12 });
    await client.sessions.close(id);
    expect(listLoose(place.home)).toEqual([]);
    expect(lstatSync(place.home).mode & 0o777).toBe(0o700);
    await place.daemon?.kill("SIGTERM");
    expect(listLoose(place.home)).toEqual([]);
  });

  it("of an older version are tightened at the next start", async () => {
    mkdirSync(join(place.home, "blobs", "ab"), { recursive: true, mode: 0o755 });
    for (const name of ["gantry.db", "lock.db", "blobs/ab/cd", "config.yml"])
      writeFileSync(join(place.home, name), "", { mode: 0o644 });
    chmodSync(place.home, 0o755);
    await startWithOpenUmask();
    await eventually("private files", () => listLoose(place.home).length === 0);
  });
});

describe("a home folder that cannot be used", () => {
  const expectRefusal = async (message: RegExp) => {
    for (const command of [["ls"], ["serve"], ["status"]]) {
      const { status, stderr, stdout, ms } = await place.run(...command);
      expect(status, command[0]).toBe(3);
      expect(ms).toBeLessThan(20_000);
      if (command[0] === "status") continue;
      expect(stderr + stdout).toMatch(message);
      expect(stderr).toMatch(/GANTRY_HOME/);
      expect(stderr).not.toMatch(/unforeseen|\n\s+at /);
    }
  };

  it("because it is a file is reported at once", async () => {
    writeFileSync(place.home, "");
    await expectRefusal(/file, not a folder|not a directory|file already exists/i);
  });

  it("because its path is a loop of links is reported at once", async () => {
    symlinkSync(place.home, place.home);
    await expectRefusal(/loop|symbolic links/i);
    rmSync(place.home);
  });

  it("because it is below a file is reported at once", async () => {
    writeFileSync(join(place.root, "file"), "");
    place.env.GANTRY_HOME = join(place.root, "file", "gantry");
    await expectRefusal(/not a folder|not a directory/i);
  });

  it(
    "because the file system is read-only is reported at once",
    needs({ reason: "A bind mount needs root." }),
    async ({ skip }) => {
      const client = await place.start();
      await client.health();
      await place.daemon?.kill("SIGTERM");
      try {
        execFileSync("mount", ["--bind", place.home, place.home], { stdio: "ignore" });
        execFileSync("mount", ["-o", "remount,bind,ro", place.home], { stdio: "ignore" });
      } catch {
        return skip("mounting needs root");
      }
      try {
        await expectRefusal(/read-only/i);
      } finally {
        execFileSync("umount", [place.home]);
      }
      expect((await place.run("ls")).status).toBe(0);
      await place.run("stop");
    },
  );
});
