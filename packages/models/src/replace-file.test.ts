import { spawn } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFile } from "./replace-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "replace-file-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const modeOf = (path: string) => statSync(path).mode & 0o777;

test("creates the folders and a file that only its owner can read", () => {
  const file = join(folder, "a/b/config.yml");
  replaceFile(file, "x: 1\n");
  expect(readFileSync(file, "utf8")).toBe("x: 1\n");
  expect(modeOf(file)).toBe(0o600);
  expect(modeOf(join(folder, "a"))).toBe(0o700);
});

test("keeps the permissions of an existing file, whatever the umask", () => {
  const file = join(folder, "config.yml");
  writeFileSync(file, "old");
  chmodSync(file, 0o664);
  const umask = process.umask(0o077);
  try {
    replaceFile(file, "new");
  } finally {
    process.umask(umask);
  }
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(modeOf(file)).toBe(0o664);
});

test("writes through a chain of links and leaves the links in place", () => {
  mkdirSync(join(folder, "dotfiles"));
  writeFileSync(join(folder, "dotfiles/config.yml"), "old");
  symlinkSync("dotfiles/config.yml", join(folder, "middle.yml"));
  symlinkSync(join(folder, "middle.yml"), join(folder, "config.yml"));
  replaceFile(join(folder, "config.yml"), "new");
  expect(readFileSync(join(folder, "dotfiles/config.yml"), "utf8")).toBe("new");
  expect(lstatSync(join(folder, "config.yml")).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(folder, "dotfiles"))).toEqual(["config.yml"]);
});

test("creates the target of a dangling link", () => {
  symlinkSync("dotfiles/config.yml", join(folder, "config.yml"));
  replaceFile(join(folder, "config.yml"), "new");
  expect(readFileSync(join(folder, "dotfiles/config.yml"), "utf8")).toBe("new");
  expect(lstatSync(join(folder, "config.yml")).isSymbolicLink()).toBe(true);
});

test("throws and leaves no draft when the target cannot be replaced", () => {
  mkdirSync(join(folder, "config.yml/inner"), { recursive: true });
  expect(() => replaceFile(join(folder, "config.yml"), "new")).toThrow();
  symlinkSync("loop", join(folder, "loop"));
  expect(() => replaceFile(join(folder, "loop"), "new")).toThrow(/ELOOP/);
  expect(readdirSync(folder).sort()).toEqual(["config.yml", "loop"]);
});

test("readers see a whole file while another process replaces it", async () => {
  const file = join(folder, "config.yml");
  replaceFile(file, "a".repeat(200_000));
  const program = `
    import { replaceFile } from ${JSON.stringify(new URL("./replace-file.ts", import.meta.url).href)};
    for (let i = 0; ; i++) replaceFile(${JSON.stringify(file)}, (i % 2 ? "a" : "b").repeat(200_000));`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program];
  const writer = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const exited = new Promise((resolve) => writer.once("exit", resolve));
  const seen = new Set<string>();
  const deadline = Date.now() + 5_000;
  while (seen.size < 2 && Date.now() < deadline) {
    const text = readFileSync(file, "utf8");
    expect(text).toHaveLength(200_000);
    expect(new Set(text).size).toBe(1);
    seen.add(text.slice(0, 1));
    await sleep(1);
  }
  writer.kill("SIGKILL");
  await exited;
  expect(seen).toEqual(new Set(["a", "b"]));
});
