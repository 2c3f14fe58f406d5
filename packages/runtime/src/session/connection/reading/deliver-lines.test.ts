import { GantryError } from "@gantry/protocol";
import { expect, test } from "vitest";
import type { Line } from "../../../framing/lines.ts";
import { StorageFullError } from "../../../log/errors.ts";
import { deliverLines, isEnvironmental, type LineReceiver } from "./deliver-lines.ts";

const lines = ["a", "bad", "b", "late", "c"].map((text, index): Line => ({ kind: "line", text, end: index + 1 }));

class FakeReceiver implements LineReceiver {
  at = 0;
  full = false;
  readonly received: string[] = [];
  readonly logged: string[] = [];
  offset = () => this.at;
  log = (text: string) => void this.logged.push(text);

  apply = (some: readonly Line[], end: number) => {
    const texts = some.map((line) => (line.kind === "line" ? line.text : ""));
    if (texts.includes("bad")) throw new RangeError("Maximum call stack size exceeded");
    if (this.full && texts.includes("b")) throw Object.assign(new Error("full"), { code: "storage_full" });
    this.received.push(...texts);
    this.at = end;
    if (texts.length === 1 && texts[0] === "late") throw new TypeError("an effect failed");
  };

  quarantine = (line: Line, end: number) => {
    this.received.push(`quarantined ${line.kind === "line" ? line.text : ""}`);
    this.at = end;
  };
}

test("quarantines the line that fails and delivers the others in order", () => {
  const receiver = new FakeReceiver();
  deliverLines(receiver, lines, 9);
  expect(receiver.received).toEqual(["a", "quarantined bad", "b", "late", "c"]);
  expect(receiver.at).toBe(9);
});

test("keeps its place when the disk is full in the middle, and delivers no line twice", () => {
  const receiver = new FakeReceiver();
  receiver.full = true;
  expect(() => deliverLines(receiver, lines, 9)).toThrow("full");
  receiver.full = false;
  deliverLines(receiver, lines, 9);
  expect(receiver.received).toEqual(["a", "quarantined bad", "b", "late", "c"]);
});

test("finds out whether the system or the line caused an error", () => {
  expect.assertions(13);
  const withCode = (code: string, more: object = {}) => Object.assign(new Error("failed"), { code, ...more });
  const sqlite = (errcode: number) => withCode("ERR_SQLITE_ERROR", { errcode });
  const system = [withCode("ENOSPC"), withCode("EIO"), new StorageFullError("/db", "full"), sqlite(13), sqlite(5)];
  for (const error of system) expect(isEnvironmental(error)).toBe(true);
  const values = [sqlite(18), sqlite(19), sqlite(1299), new GantryError("invalid", "no"), new RangeError("too deep")];
  for (const error of values) expect(isEnvironmental(error)).toBe(false);
  for (const act of [() => new URL("::"), () => Buffer.alloc(-1), () => decodeURIComponent("%")]) {
    try {
      act();
    } catch (error) {
      expect(isEnvironmental(error)).toBe(false);
    }
  }
});
