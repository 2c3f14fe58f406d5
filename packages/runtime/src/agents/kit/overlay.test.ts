import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOverlay } from "./overlay.ts";

const folder = mkdtempSync(join(tmpdir(), "gantry-overlay-"));
const settings = { permissions: { ask: ["edit"] }, a: 1 };
const overlay = (path: string) => ({ variable: "X_SETTINGS", path: join(folder, path), settings });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

test("extends the machine's settings: objects are merged, lists concatenated", () => {
  write("machine.json", JSON.stringify({ permissions: { deny: ["x"], ask: ["y"] }, b: 2 }));
  const merged = { permissions: { deny: ["x"], ask: ["y", "edit"] }, a: 1, b: 2 };
  expect(readOverlay(overlay("machine.json"), {})).toEqual(merged);
});

test("extends the file that the environment names instead of the usual one", () => {
  write("named.json", JSON.stringify({ b: 3 }));
  const env = { X_SETTINGS: join(folder, "named.json") };
  expect(readOverlay(overlay("none.json"), env)).toMatchObject({ a: 1, b: 3 });
});

test("needs no machine's settings, and refuses damaged ones", () => {
  expect(readOverlay(overlay("none.json"), {})).toEqual(settings);
  write("bad.json", "{");
  expect(() => readOverlay(overlay("bad.json"), {})).toThrow("cannot be read");
});
