import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draft } from "@gantry/protocol";
import { needs, SmallDisk } from "@gantry/testkit";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { Spool } from "../process/spool.ts";
import { Tail } from "../process/tail.ts";
import { exitOfDir, playground, waitUntil } from "../process/testing/playground.ts";
import { Blobs } from "./blobs.ts";
import { StorageFullError } from "./errors.ts";
import { openStore } from "./sqlite/open.ts";
import { Script, textDone } from "./testing/events.ts";

const disk = SmallDisk.mount(4);

afterAll(() => disk?.unmount());

const folder = disk?.folder ?? "";
const { started, request } = playground();
describe.runIf(disk)("on a full disk", needs({ reason: "Mounting a small file system needs root." }), () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(folder, "home-"));
  });
  afterEach(() => {
    disk?.free();
    rmSync(home, { recursive: true, force: true });
  });

  it("refuses a commit as a whole, still reads, and has all events when there is room again", async () => {
    const store = openStore(join(home, "gantry.db"));
    const script = new Script("ses_a");
    store.commit({ session: "ses_a", events: script.create() });
    const { out } = new Spool(home).create("ses_a", "prc_1");
    const lines = Array.from({ length: 500 }, (_, i) => `line ${i} ${"x".repeat(500)}`);
    writeFileSync(out, `${lines.join("\n")}\n`);
    disk?.fill();

    const errors: unknown[] = [];
    const tail = new Tail({
      path: out,
      offset: 0,
      retryMs: { min: 5, max: 20 },
      onError: (error) => errors.push(error),
      onLines: (read, offset) => {
        const texts = read.map((line) => (line.kind === "line" ? line.text : ""));
        const before = { seq: script.seq, view: script.view };
        const events = script.add(...texts.map((text) => textDone(text)));
        try {
          store.commit({ session: "ses_a", events, spool: { process: "prc_1", offset } });
        } catch (error) {
          Object.assign(script, before);
          throw error;
        }
      },
    });
    tail.start();
    const drained = tail.drain();
    await waitUntil(() => errors.length >= 3, "three refusals");
    expect(errors.every((error) => error instanceof StorageFullError)).toBe(true);
    const stored = store.lastSeq("ses_a");
    expect(store.readEvents("ses_a", 0, 1000).length).toBe(stored);

    disk?.free();
    await drained;
    tail.stop();
    const texts = store.readEvents("ses_a", 1, 1000).map((event) => JSON.parse(event.json).data.text);
    expect(texts).toEqual(lines);
    expect(store.spools.get("prc_1")?.offset).toBe(readFileSync(out).length);
    store.close();
  });

  it("still writes an agent's exit status", async () => {
    const { dir } = new Spool(home).create("ses_a", "prc_2");
    const code = `dd if=/dev/zero of=${folder}/ballast bs=4096 2>/dev/null; dd if=/dev/zero of=${folder}/ballast2 bs=1 count=1 2>/dev/null; exit 9`;
    const target = await started({ ...request("/bin/sh", ["-c", code]), dir });
    expect(await exitOfDir(target.dir)).toEqual({ code: 9, signal: null });
    expect(statfsSync(folder).bavail).toBe(0);
  });

  it("refuses a large text without leaving a partial blob", () => {
    disk?.fill();
    const blobs = new Blobs(home);
    expect(() => blobs.spill(draft("raw", { channel: "c", frame: "x".repeat(100_000) }))).toThrow(StorageFullError);
    disk?.free();
    expect(blobs.sweep(() => true)).toBe(0);
  });
});
