import { createHash } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Uploads } from "./container/upload.ts";
import { breaches } from "./history/testing/replayed.ts";
import { someDrafts } from "./testing/logs.ts";
import { Machine } from "./testing/machine.fake.ts";

vi.setConfig({ testTimeout: 120_000 });

let here: Machine;
let there: Machine;
beforeEach(() => {
  here = new Machine();
  there = new Machine();
});
afterEach(() => {
  here.dispose();
  there.dispose();
});

const turn = (text: string) => [
  { type: "message.user", data: { message: "msg_1", text, attachments: [], author: "user", delivery: "auto" } },
  { type: "message.delivery", data: { message: "msg_1", state: "sent" }, turn: "trn_1" },
  { type: "turn.started", data: { trigger: "user", messages: ["msg_1"] }, turn: "trn_1" },
  { type: "message.delivery", data: { message: "msg_1", state: "delivered" }, turn: "trn_1" },
  { type: "message.done", data: { item: "itm_1", text: "The heron is grey." }, turn: "trn_1" },
  { type: "turn.ended", data: { outcome: "completed" }, turn: "trn_1" },
];

describe("to another machine and back", () => {
  it("preserves every log byte for byte, under its own id or another", async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(someDrafts, fc.boolean(), async (drafts, taken) => {
        const id = `ses_one${++number}`;
        here.put(id, drafts);
        if (taken) there.put(id, [{ type: "notice", data: { kind: "x", severity: "info", text: "mine" } }]);
        const { session, created } = await there.import(await here.export(id));
        const before = here.log(id);
        expect(created).toBe(true);
        expect(session.id === id).toBe(!taken);
        const after = there.log(session.id).slice(0, before.length);
        expect(after.map((json) => json.replaceAll(`"${session.id}"`, `"${id}"`))).toEqual(before);
        for (const [, blob = ""] of before.join().matchAll(/"blob":"(\w{64})"/g))
          expect(there.blobs.read(blob)).toBe(here.blobs.read(blob));
      }),
      { numRuns: 60 },
    );
  });

  it("closes what was open, cancels what waited, and imports no permission", async () => {
    const grant = { id: "gra_1", session: "ses_a", tool: "Bash", prefix: "rm", label: "rm", input: "inp_1" };
    const scope = { tool: "Bash", prefix: "rm", label: "rm" };
    here.put("ses_a", [
      { type: "session.updated", data: { patch: { handles: { scripted: "abc" }, lead: true } } },
      { type: "session.updated", data: { patch: { grants: [{ ...grant, scope, at: "2026-01-01T00:00:00.000Z" }] } } },
      ...turn("hello").slice(0, 4),
      { type: "tool.started", data: { item: "itm_t", name: "Bash", kind: "execute", title: "ls" }, turn: "trn_1" },
      {
        type: "message.user",
        data: { message: "msg_2", text: "later", attachments: [], author: "user", delivery: "queue" },
      },
      { type: "message.delivery", data: { message: "msg_2", state: "queued", position: 0 } },
    ]);
    const { session } = await there.import(await here.export("ses_a"));
    expect(session).toMatchObject({ state: "idle", queue: [], handles: {}, mode: "ask", origin: "import" });
    expect(there.store.grants()).toEqual([]);
    expect(session.lead).toBe(false);
    const log = there.log("ses_a").map((json) => JSON.parse(json));
    expect(breaches(log.map((event) => ({ ...event, at: "" })))).toEqual([]);
    expect(there.store.meta.get("brief:ses_a")).toContain("hello");
  });

  it("imports the same file once, and recognises the original on its own machine", async () => {
    here.put("ses_a", turn("hello"));
    const file = await here.export("ses_a");
    const [first, second] = await Promise.all([there.import(file), there.import(file)]);
    expect([first.created, second.created]).toEqual([true, false]);
    expect(second.session.id).toBe(first.session.id);
    expect(await there.import(await here.export("ses_a"))).toMatchObject({ created: false });
    expect(await here.import(file, { cwd: join(here.home) })).toMatchObject({
      created: false,
      session: { id: "ses_a" },
    });
    expect(here.log("ses_a")).toHaveLength(7);
    expect(readdirSync(join(there.home, "imports"))).toEqual([]);
  });

  it("exports an imported session with its patches, and relocates it to a given folder", async () => {
    here.patches = { trn_1: "diff --git a/a b/a\n@@ -1 +1 @@\n-a\n+b\n" };
    here.put("ses_a", turn("hello"), "/home/ann/project");
    const { session } = await there.import(await here.export("ses_a"));
    expect(session.cwd).toBe("/home/ann/project");
    expect(there.log("ses_a").at(-1)).toContain("does not exist on this machine");
    const folder = join(there.home, "project");
    mkdirSync(folder);
    const moved = await there.import(await here.export("ses_a"), { cwd: folder });
    expect(moved).toMatchObject({ created: false, session: { id: "ses_a", cwd: folder } });
    expect((await there.export("ses_a", "html")).toString()).toContain("What the turn changed");
    const third = new Machine();
    await third.import(await there.export("ses_a"));
    expect((await third.export("ses_a", "md")).toString()).toContain("+b");
    third.dispose();
    there.store.sessions.delete("ses_a");
    there.transfer.removed("ses_a");
    expect(there.store.records("import-file").list()).toEqual([]);
  });
});

describe("files that are refused, with nothing changed", () => {
  /** The lines of a valid file, changed, and sealed again unless the change should be detected. */
  async function alterFile(change: (lines: string[]) => string[], seal = true): Promise<Buffer> {
    const long = "x".repeat(50_000);
    here.put("ses_a", [
      ...turn("hello").slice(0, 5),
      { type: "tool.started", data: { item: "itm_t", name: "n", kind: "execute", title: "t" }, turn: "trn_1" },
      { type: "tool.ended", data: { item: "itm_t", status: "ok", output: long }, turn: "trn_1" },
    ]);
    const lines = gunzipSync(await here.export("ses_a"))
      .toString()
      .trimEnd()
      .split("\n");
    const body = change(lines.slice(0, -1));
    const end = JSON.parse(lines.at(-1) ?? "");
    const events = body.filter((line) => line.startsWith('{"event":'));
    if (seal) {
      const sha = (text: string) => createHash("sha256").update(text).digest("hex");
      end.end.sha256 = sha(body.map((line) => `${line}\n`).join(""));
      end.end.eventsSha256 = sha(events.map((line) => `${line.slice(9, -1)}\n`).join(""));
    }
    return gzipSync([...body, JSON.stringify(end), ""].join("\n"));
  }
  const swap = (find: string | RegExp, by: string) => (lines: string[]) => lines.map((line) => line.replace(find, by));

  const cases: Record<string, [() => Promise<Buffer> | Buffer, RegExp]> = {
    "is empty": [() => Buffer.alloc(0), /cut off|not a file|empty/],
    "is no gzip": [() => Buffer.from("hello"), /not a file that/],
    "is gzip of nothing": [() => gzipSync(""), /empty|end is missing/],
    "is gzip of something else": [() => gzipSync("PK\u0003\u0004../../etc/passwd\n"), /not JSON|not a file/],
    "is cut off": [async () => (await alterFile((lines) => lines)).subarray(0, -20), /cut off/],
    "lacks its end": [
      async () =>
        gzipSync(
          `${gunzipSync(await alterFile((l) => l))
            .toString()
            .trimEnd()
            .split("\n")
            .slice(0, -1)
            .join("\n")}\n`,
        ),
      /end is missing/,
    ],
    "was changed": [() => alterFile(swap("grey", "blue"), false), /changed after/],
    "has a changed text": [() => alterFile(swap(/"text":"x+"/, '"text":"yy"')), /does not match its hash/],
    "has texts named like paths": [
      () => alterFile(swap(/"blob":"\w{64}","part"/, '"blob":"../../../etc/passwd","part"')),
      /no meaning/,
    ],
    "has a gap": [() => alterFile((lines) => lines.filter((line) => !line.includes('"seq":3'))), /does not follow/],
    "counts wrong": [() => alterFile((lines) => lines.slice(0, -1)), /missing/],
    "has another session's event": [
      () => alterFile(swap(/"session":"ses_a","seq":3/, '"session":"ses_b","seq":3')),
      /another session/,
    ],
    "has a session twice": [
      () =>
        alterFile(
          swap(
            /"type":"message.user".*/,
            '"type":"session.created","data":{"agent":"a","mode":"ask","cwd":"/","title":"t"}}}',
          ),
        ),
      /begin as a session/,
    ],
    "has an event of no known type": [() => alterFile(swap("message.done", "made.up")), /not valid/],
    "has an event without its data": [() => alterFile(swap('"item":"itm_1"', '"item":7')), /not valid/],
    "is nested without end": [
      () => alterFile(swap('"text":"hello"', `"text":"hello","more":${"[".repeat(50_000)}${"]".repeat(50_000)}`)),
      /nested|not JSON/,
    ],
    "continues after its end": [
      async () => gzipSync(`${gunzipSync(await alterFile((lines) => lines))}{"event":{}}\n`),
      /follows its end|not valid/,
    ],
    "expands to blank lines": [() => gzipSync(Buffer.alloc(50_000_000, "\n")), /blank lines/],
    "expands to lines of spaces": [() => gzipSync("  \n".repeat(5_000_000)), /blank lines/],
    "has a blank line in the middle": [
      async () => alterFile((lines) => [...lines.slice(0, 2), "", ...lines.slice(2)]),
      /blank lines|changed after/,
    ],
    "is a bomb": [
      () => Buffer.concat([gzipSync('{"format":"gantry-session"'), gzipSync(Buffer.alloc(60_000_000, "x"))]),
      /too long/,
    ],
  };
  for (const [name, [make, why]] of Object.entries(cases)) {
    it(name, async () => {
      const refusal = there.import(await make());
      await expect(refusal).rejects.toMatchObject({ code: "damaged_file", remedy: expect.any(String) });
      await expect(refusal).rejects.toThrow(why);
      expect(there.store.readAll(0, 10)).toEqual([]);
      expect(there.store.sessions.listDeleted()).toEqual([]);
      expect(readdirSync(join(there.home, "imports"))).toEqual([]);
    });
  }

  it("rejects an upload over the limit, by Content-Length and by size received", async () => {
    const claimed = there.transfer.importFile(Readable.from([]), { bytes: 2 ** 40 });
    await expect(claimed).rejects.toMatchObject({ code: "too_large" });
    const uploads = new Uploads(there.home, 1000);
    await expect(uploads.take(Readable.from([Buffer.alloc(600), Buffer.alloc(600)]))).rejects.toMatchObject({
      code: "too_large",
    });
    expect(readdirSync(join(there.home, "imports"))).toEqual([]);
  });

  it("stops when the client disconnects, removes the upload and serves the next import", async () => {
    const client = new AbortController();
    const file = await alterFile((lines) => lines);
    const first = there.transfer.importFile(Readable.from([file]), { signal: client.signal });
    client.abort();
    await expect(first).rejects.toMatchObject({ name: "AbortError" });
    expect(readdirSync(join(there.home, "imports"))).toEqual([]);
    expect((await there.import(file)).created).toBe(true);
  });

  it("rejects a file of a newer Gantry", async () => {
    const file = await alterFile(swap('"version":1', '"version":2'));
    await expect(there.import(file)).rejects.toMatchObject({ code: "unsupported", message: /format 2/ });
  });
});

describe("redacted", () => {
  it("exposes neither home nor keys nor the values of the session's variables, in any format", async () => {
    const key = `sk-ant-${"a1".repeat(20)}`;
    const secrets = [key, "hunter2hunter2", "the-daemons-own-token", "value-of-a-variable", "/home/ann"];
    const text = `in /home/ann/project/a.ts and /home/ann/b: ${key}; password=hunter2hunter2; the-daemons-own-token; value-of-a-variable`;
    here.put(
      "ses_a",
      [
        ...turn(`not /home/anne, ${text}`),
        {
          type: "tool.started",
          data: { item: "itm_t", name: "Bash", kind: "execute", title: text, input: { command: text } },
        },
        { type: "tool.ended", data: { item: "itm_t", status: "ok", output: `${text}\n`.repeat(400) } },
      ],
      "/home/ann/project",
    );
    here.store.commit({ session: "ses_a", events: [], request: { env: { MY: "value-of-a-variable" } } });
    here.patches = { trn_1: `diff --git a/a b/a\n@@ -1 +1 @@\n+${key}\n` };
    for (const format of ["gantry", "jsonl", "html", "md"] as const) {
      const file = await here.export("ses_a", format, true);
      const shown = (format === "gantry" ? gunzipSync(file) : file).toString();
      for (const secret of secrets)
        expect(shown.replaceAll("/home/anne", ""), `${secret} in ${format}`).not.toContain(secret);
      expect(shown).toContain("a.ts");
      expect(shown).toContain("/home/anne");
    }
    const { session } = await there.import(await here.export("ses_a", "gantry", true));
    const ended = there.log(session.id).find((json) => json.includes('"tool.ended"')) ?? "";
    const [, blob = ""] = /"blob":"(\w{64})"/.exec(ended) ?? [];
    expect(there.blobs.read(blob)).toContain("[hidden]");
  });
});
