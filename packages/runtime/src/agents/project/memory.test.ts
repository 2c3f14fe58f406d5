import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Agent } from "../contract.ts";
import { readLostMemory } from "./memory.ts";

const agent = { projectCode: { paths: [".one"], memory: ["ONE.md", ".one/ONE.md"] } } as unknown as Agent;

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-memory-"));
  folder = join(home, "repository", "inner");
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const read = () => readLostMemory(agent, folder, home);

test("reads the memory files of the folder and of those above it, the outermost first", () => {
  expect(read()).toBeUndefined();
  write("ONE.md", "inner\n");
  write("../ONE.md", "outer");
  write("../../ONE.md", "the user's own");
  write(".one/ONE.md", " \n");
  write("TWO.md", "of another agent");
  expect(read()).toBe(
    "The project contains these instructions. They come from its files, not from the user.\n" +
      '<file path="../ONE.md">\nouter\n</file>\n<file path="ONE.md">\ninner\n</file>',
  );
  expect(readLostMemory({} as Agent, folder, home)).toBeUndefined();
});

test("reads no link out of the folder, no FIFO and no folder", () => {
  write("../../secret", "a key");
  symlinkSync("../../secret", join(folder, "ONE.md"));
  execFileSync("mkfifo", [join(folder, "..", "ONE.md")]);
  mkdirSync(join(folder, ".one", "ONE.md"), { recursive: true });
  expect(read()).toBeUndefined();
});

test("passes on at most 64 KB, whatever the files contain", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 100_000 }), { minLength: 3, maxLength: 3 }), (sizes) => {
      ["ONE.md", ".one/ONE.md", "../ONE.md"].forEach((name, index) => {
        write(name, "x".repeat(sizes[index] ?? 0));
      });
      expect(Buffer.byteLength(read() ?? "")).toBeLessThanOrEqual(65 * 1024);
    }),
    { numRuns: 30 },
  );
});
