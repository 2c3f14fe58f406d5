import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { draft } from "@gantry/protocol";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { Script, textDone } from "../../testing/events.ts";
import { openStore } from "../open.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-"));
const store = openStore(join(home, "gantry.db"));
afterAll(() => {
  store.close();
  rmSync(home, { recursive: true, force: true });
});

const script = new Script("ses_a");
const other = new Script("ses_b");
store.commit({
  session: "ses_b",
  events: [...other.create({ title: "Other" }), ...other.add(textDone("fix the parser"))],
});
store.commit({
  session: "ses_a",
  events: [
    ...script.create({ title: "Parser work" }),
    ...script.add(
      draft("message.user", {
        message: "msg_1",
        text: 'Please fix the parser in src/parse_line.ts, café "quoted" AND more',
      }),
      draft("tool.started", {
        item: "itm_1",
        name: "bash",
        kind: "execute",
        title: "Run tests",
        input: { command: "npm run verify" },
      }),
      draft("tool.ended", { item: "itm_1", status: "ok", output: `zebra ${"filler ".repeat(1000)} giraffe` }),
      draft("tool.ended", {
        item: "itm_2",
        status: "ok",
        output: { blob: "a".repeat(64), size: 99999, head: "elephant", tail: "" },
      }),
      draft("plan.updated", { entries: [{ text: "write a lexer", status: "pending" }], explanation: "grammar first" }),
      draft("error", { category: "network", message: "connection refused", retryable: true, remedy: "wait" }),
      draft("notice", { kind: "k", severity: "info", text: "hibernated" }),
      draft("reasoning.done", { item: "itm_3", text: "thoughtful" }),
      draft("raw", { channel: "c", frame: "unparsed" }),
      textDone("nul \0 byte and lone \ud800 half 日本語"),
    ),
  ],
});

const types = (q: string) => store.search(q, 50, { session: "ses_a" }).map((hit) => hit.type);

describe("search", () => {
  it("finds messages, commands, plans and errors, but not reasoning and raw frames", () => {
    expect(types("parser")).toEqual(["message.user"]);
    expect(types("verify")).toEqual(["tool.started"]);
    expect(types("zebra")).toEqual(["tool.ended"]);
    expect(types("giraffe")).toEqual([]);
    expect(types("elephant")).toEqual(["tool.ended"]);
    expect(types("lexer grammar")).toEqual(["plan.updated"]);
    expect(types("refused")).toEqual(["error"]);
    expect(types("hibernated")).toEqual(["notice"]);
    expect(types("thoughtful")).toEqual([]);
    expect(types("unparsed")).toEqual([]);
    expect(types("日本語")).toEqual(["message.done"]);
  });

  it("returns the place with the match marked, in all sessions or one", () => {
    expect(
      store
        .search("fix PARS", 10)
        .map((hit) => hit.session)
        .sort(),
    ).toEqual(["ses_a", "ses_b"]);
    expect(store.search("fix", 1).length).toBe(1);
    expect(store.search("cafe", 10)).toEqual([
      {
        session: "ses_a",
        title: "Parser work",
        seq: 2,
        at: "2026-11-15T10:00:00.002Z",
        type: "message.user",
        snippet: expect.stringContaining("[café]"),
      },
    ]);
  });

  it("returns the newest match first, or the most relevant one on request", () => {
    const many = new Script("ses_many", "2026-11-16");
    const texts = [
      "quokka quokka quokka",
      "the quokka",
      ...Array.from({ length: 5 }, (_, at) => `a long text ${at} quokka`),
    ];
    store.commit({
      session: "ses_many",
      events: [...many.create(), ...many.add(...texts.map((text) => textDone(text)))],
    });
    const found = store.search("quokka", 50);
    expect(found.map(({ at }) => at)).toEqual(
      found
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    expect(store.search("quokka", 1)[0]?.snippet).toContain("text 4");
    expect(store.search("quokka", 1, { order: "relevance" })[0]?.snippet).toContain("[quokka] [quokka]");
  });

  it("is restricted to an agent, a folder, a kind of text or a time", () => {
    const place = new Script("ses_place", "2026-11-17");
    const created = { agent: "other-agent", cwd: "/work/app_1/api", title: "Placed" };
    const events = [
      draft("message.user", { message: "msg_9", text: "wombat of a person" }),
      textDone("wombat of an agent"),
      draft("tool.ended", { item: "itm_9", status: "ok", output: "wombat of a command" }),
      draft("notice", { kind: "k", severity: "info", text: "wombat of a note" }),
    ];
    store.commit({ session: "ses_place", events: [...place.create(created), ...place.add(...events)] });
    const count = (filter: Parameters<typeof store.search>[2]) => store.search("wombat", 50, filter).length;
    expect([count({ agent: "other-agent" }), count({ agent: "fake" })]).toEqual([4, 0]);
    const folders = ["/work/app_1/api", "/work/app_1/", "/work", "/", "/work/app_1/ap", "/work/appX1"];
    expect(folders.map((folder) => count({ folder }))).toEqual([4, 4, 4, 4, 0, 0]);
    const kinds = (["user", "agent", "tool", "other"] as const).map((kind) => store.search("wombat", 9, { kind }));
    expect(kinds.map((hits) => hits.map(({ type }) => type))).toEqual([
      ["message.user"],
      ["message.done"],
      ["tool.ended"],
      ["notice"],
    ]);
    expect([count({ since: "2026-11-17T00:00:00.000Z" }), count({ since: "2026-11-18T00:00:00.000Z" })]).toEqual([
      4, 0,
    ]);
    expect([count({ until: "2026-11-17T00:00:00.000Z" }), count({ until: "2026-11-18T00:00:00.000Z" })]).toEqual([
      0, 4,
    ]);
  });

  it("treats names with underscores, prefixes, quotes and operators as plain terms", () => {
    expect(types("parse_line.ts")).toEqual(["message.user"]);
    expect(types('"quoted"')).toEqual(["message.user"]);
    expect(types("more AND")).toEqual(["message.user"]);
    expect(types("parser NOT fix")).toEqual([]);
    expect(types("hibern")).toEqual(["notice"]);
    expect(types("refused 🎉 !!!")).toEqual(["error"]);
  });

  it("never fails, whatever is asked", () => {
    const hostile = [
      '"',
      '""',
      "'",
      "*",
      "a*b",
      "NEAR(a b)",
      "a OR",
      "(",
      "-x",
      "^a",
      "col:x",
      "text:",
      "{a}",
      "+",
      "🎉",
      "\0",
      "a\0b",
      "\ud800",
      "%",
      'a""b*',
      "؛",
      "１",
    ];
    for (const q of [...hostile, hostile.join(" "), "x".repeat(5000)])
      expect(store.search(q, 10)).toBeInstanceOf(Array);
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 40 }), (q) => Array.isArray(store.search(q, 5))));
  });
});
