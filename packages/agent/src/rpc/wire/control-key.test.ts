import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { CONTROL_KEY_FILE, lineCheck } from "./control-key.ts";

const folder = mkdtempSync(join(tmpdir(), "gantry-control-"));
const file = join(folder, "control-key");
const key = "k".repeat(64);
writeFileSync(file, key);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const check = lineCheck({ [CONTROL_KEY_FILE]: file })!;
const sign = (msg: object, by = key) => {
  const auth = createHmac("sha256", by).update(JSON.stringify(msg)).digest("hex");
  return JSON.stringify({ ...msg, auth });
};

it("accepts a signed line, whatever it contains", () => {
  const message = fc.record({ type: fc.string(), text: fc.string({ unit: "grapheme" }), deep: fc.jsonValue() });
  fc.assert(fc.property(message, (msg) => check(sign(msg))));
});

it("refuses lines without a signature, with a foreign one, or with a changed text", () => {
  const line = sign({ type: "set_mode", mode: "plan" });
  for (const bad of [
    '{"type":"set_mode","mode":"full-auto"}',
    sign({ type: "set_mode", mode: "full-auto" }, "x".repeat(64)),
    line.replace("plan", "full-auto"),
    line.replace(/"auth":"./, '"auth":"z'),
    `${line.slice(0, -1)},"mode":"full-auto"}`,
    `{"mode":"full-auto",${line.slice(1)}`,
    `${line}${line}`,
    "",
  ])
    expect(check(bad), bad).toBe(false);
});

it("accepts every line of a client that started the agent without a key", () => {
  expect(lineCheck({})).toBeUndefined();
});

it("does not start with a key file that is missing or empty", () => {
  expect(() => lineCheck({ [CONTROL_KEY_FILE]: join(folder, "none") })).toThrow("none");
  writeFileSync(join(folder, "empty"), "");
  expect(() => lineCheck({ [CONTROL_KEY_FILE]: join(folder, "empty") })).toThrow("contains no key");
});
