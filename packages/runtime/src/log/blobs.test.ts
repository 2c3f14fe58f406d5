import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BlobRef, type Draft, draft, EnvelopeSchema } from "@gantry/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Blobs } from "./blobs.ts";

let home: string;
let blobs: Blobs;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-"));
  blobs = new Blobs(home);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const listStored = () =>
  readdirSync(join(home, "blobs"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

describe("Blobs", () => {
  it("stores a text once, under its hash, readable by the owner alone", () => {
    const text = "word ".repeat(10_000);
    const first = blobs.put(text);
    expect(blobs.put(text)).toEqual(first);
    expect(first).toMatchObject({ size: 50_000, head: text.slice(0, 2048), tail: text.slice(-2048) });
    expect(first.blob).toBe(createHash("sha256").update(text).digest("hex"));
    expect(blobs.read(first.blob)).toBe(text);
    const path = join(home, "blobs", first.blob.slice(0, 2), first.blob);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(listStored().length).toBe(1);
  });

  it("counts the lines of a text, with or without a newline at the end", () => {
    const long = "x".repeat(4000);
    const count = (lines: number, end: string) => blobs.put(Array(lines).fill(long).join("\n") + end).lines;
    expect([count(1, ""), count(1, "\n"), count(30, ""), count(30, "\n")]).toEqual([1, 1, 30, 30]);
  });

  it("returns undefined for a missing blob and for a name that is not a hash", () => {
    expect(blobs.read("0".repeat(64))).toBeUndefined();
    for (const name of ["../../etc/passwd", "", "xyz"]) expect(blobs.read(name)).toBeUndefined();
  });

  it("never cuts a character in head or tail, and returns every text whole", () => {
    const unit = fc.constantFrom("a", "é", "日", "🎉", "👩‍👩‍👧", "\n");
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 7 }), fc.integer({ min: 1, max: 2000 }), (units, times) => {
        const text = units.join("").repeat(times);
        const { blob, head, tail, size } = blobs.put(text);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(head.isWellFormed() && tail.isWellFormed()).toBe(true);
        expect(size).toBe(Buffer.byteLength(text));
        expect(blobs.read(blob)).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});

describe("spill", () => {
  const large = "é".repeat(20_000);
  const small = "x".repeat(32 * 1024);

  it("moves large texts of tool and raw events at any depth to blobs", () => {
    const input = {
      files: [
        { path: "a", text: large },
        { path: "b", text: small },
      ],
      count: 3,
      none: null,
    };
    const event = blobs.spill(draft("tool.started", { item: "itm_1", name: "write", kind: "edit", title: "t", input }));
    const spilled = event.data.input as {
      files: { path: string; text: BlobRef | string }[];
      count: number;
      none: null;
    };
    expect(spilled).toEqual({ ...input, files: [{ path: "a", text: blobs.put(large) }, input.files[1]] });
    const raw = blobs.spill(draft("raw", { channel: "c", frame: large }));
    expect(blobs.read((raw.data.frame as BlobRef).blob)).toBe(large);
    const update = blobs.spill(draft("tool.updated", { item: "itm_1", patch: { output: large } }));
    expect(update.data.patch.output).toEqual(blobs.put(large));
  });

  it("returns the same object if no text is large", () => {
    const unchanged: Draft[] = [
      draft("tool.ended", { item: "itm_1", status: "ok", output: small, structured: { a: [1, { b: "c" }] } }),
      draft("message.done", { item: "itm_1", text: large }),
      draft("tool.started", { item: "itm_1", name: "x", kind: "other", title: large }),
    ];
    for (const event of unchanged) expect(blobs.spill(event)).toBe(event);
  });

  it("returns events that the protocol accepts", () => {
    const data = {
      item: "itm_1",
      status: "ok" as const,
      output: large,
      changes: [{ path: "a", kind: "add" as const, diff: large }],
    };
    const event = blobs.spill(draft("tool.ended", data));
    const envelope = { v: 1, session: "ses_a", seq: 1, at: "2026-11-15T10:00:00.000Z", ...event };
    expect(EnvelopeSchema.safeParse(envelope).error).toBeUndefined();
    expect(event.data.output).toEqual(blobs.put(large));
  });
});

describe("cleaning up", () => {
  it("removes the given blobs and sweeps orphans", () => {
    const [a, b, c] = ["a", "b", "c"].map((text) => blobs.put(text).blob);
    blobs.remove([a!, a!, "not a blob"]);
    expect(blobs.read(a!)).toBeUndefined();
    writeFileSync(join(home, "blobs", b!.slice(0, 2), `${b}.0123.tmp`), "half");
    expect(blobs.sweep((blob) => blob === c)).toBe(5);
    expect(listStored().map((entry) => entry.name)).toEqual([c]);
  });
});
