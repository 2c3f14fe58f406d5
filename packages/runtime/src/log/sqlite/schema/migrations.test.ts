import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { draft, GantryError } from "@gantry/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inputRequest, Script, textDone, turnEnd } from "../../testing/events.ts";
import { openStore } from "../open.ts";
import { type Migration, migrations } from "./migrations.ts";

let home: string;
let path: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-"));
  path = join(home, "gantry.db");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A database as version 1 wrote it. */
function putVersion1(): void {
  writeFileSync(path, gunzipSync(readFileSync(join(import.meta.dirname, "fixtures/v1.db.gz"))));
}

function look<Value>(sql: string): Value {
  const db = new DatabaseSync(path);
  const row = db.prepare(sql).get() as Record<string, Value>;
  db.close();
  return Object.values(row)[0]!;
}

/** The definitions of everything in a database, without their layout, and its version. */
function tablesOf(file: string): unknown[] {
  const db = new DatabaseSync(file);
  const found = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").all();
  const tidy = (sql: unknown) => String(sql).replace(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")");
  const rows = found.map((row) => ({ ...row, sql: tidy(row.sql) }));
  const last = db.prepare("PRAGMA user_version").get();
  db.close();
  return [last, ...rows];
}

const version = () => look<number>("PRAGMA user_version");

function failureOf(action: () => unknown): GantryError {
  try {
    action();
  } catch (error) {
    if (error instanceof GantryError) return error;
    throw error;
  }
  throw new Error("expected an error");
}

describe("migrations", () => {
  it("bring a database of version 1 to the newest version with all its data", () => {
    putVersion1();
    const store = openStore(path);
    expect(version()).toBe(migrations.length);
    const session = store.sessions.get("ses_fixture");
    expect(session).toMatchObject({ title: "A fixture", lastSeq: 7, pending: 1, request: "hash", state: "waiting" });
    expect(store.readEvents("ses_fixture", 0, 100).map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(store.search("giraffe", 10)).toMatchObject([{ session: "ses_fixture", seq: 4 }]);
    expect(store.findItem("ses_fixture", "itm_1").length).toBe(1);
    expect(store.pendingInputs()).toMatchObject([{ id: "inp_fixture" }]);
    expect(store.usage([]).total).toMatchObject({ turns: 1, usage: { input: 10, output: 2 }, cost: { usd: 0.25 } });
    const ended = store.readEvents("ses_fixture", 0, 100).map(({ json }) => JSON.parse(json));
    const { at, turn } = ended.find(({ type }) => type === "turn.ended");
    expect(store.usage(["turn"], { since: at }).rows).toMatchObject([{ turn, turns: 1, unpriced: 0 }]);
    expect(store.spools.get("prc_fixture")).toMatchObject({ offset: 100, mark: '{"state":1}' });
    expect(store.journal.list("prc_fixture")).toMatchObject([{ id: "frm_1", state: "written" }]);
    expect(store.processes.get("prc_fixture")).toMatchObject({ pid: 12, startedAt: "boot:1" });
    expect(store.findMessage("ses_fixture", "msg_1")).toBe("hash of msg_1");
    expect(store.meta.get("port")).toBe("4000");
    expect(store.sessions.env("ses_fixture")).toEqual({ NAME: "value" });
    const before = session!.view;
    expect(before.last).toMatchObject({ kind: "agent", seq: 4 });
    store.rebuild("ses_fixture");
    expect(store.sessions.get("ses_fixture")!.view).toEqual(before);
    const event = {
      v: 1 as const,
      session: "ses_fixture",
      seq: 8,
      at: "2026-11-15T11:00:00.000Z",
      ...textDone("more"),
    };
    expect(store.commit({ session: "ses_fixture", events: [event] })[0]!.seq).toBe(8);
    store.close();
  });

  it("rename the columns of the mark in a database of version 6, with the mark of a running process", () => {
    writeFileSync(path, gunzipSync(readFileSync(join(import.meta.dirname, "fixtures/v6.db.gz"))));
    expect(version()).toBe(6);
    const store = openStore(path);
    expect(version()).toBe(migrations.length);
    const spool = store.spools.get("prc_before");
    expect(spool).toMatchObject({ offset: 120, markOffset: 120, mark: expect.stringContaining('"told":["msg_1"]') }); // prose-ignore: JSON of an old version
    store.commit({ session: "ses_before", events: [], spool: { process: "prc_before", offset: 200, mark: "new" } });
    expect(store.spools.get("prc_before")).toMatchObject({ offset: 200, markOffset: 200, mark: "new" });
    expect(store.sessions.get("ses_before")).toMatchObject({ state: "running", lastSeq: 4 });
    store.close();
    const columns = look<string>("SELECT group_concat(name) FROM pragma_table_info('spools')");
    expect(columns).toBe("process,session,offset,err_offset,mark,mark_offset");
  });

  it("add the time to the first output to the turns of a database of version 7 whose log exists", () => {
    const old = openStore(path, { steps: migrations.slice(0, 7) });
    const script = new Script();
    old.commit({ session: "ses_a", events: script.create() });
    old.close();
    const [ended] = script.add(turnEnd(10, { ttftMs: 420 }));
    const db = new DatabaseSync(path);
    const row = [ended!.session, ended!.seq];
    db.prepare("INSERT INTO events (session, seq, type, body) VALUES (?, ?, 'turn.ended', ?)").run(
      ...row,
      JSON.stringify(ended),
    );
    db.prepare("INSERT INTO usage VALUES (?, ?, 'fake', 'm1', '', 1, 1, 0, 0, 0, 0, 0, '', NULL, NULL, 0)").run(...row);
    db.close();
    const store = openStore(path);
    expect(store.usage([]).total).toMatchObject({ turns: 1, ttftMs: { median: 420, turns: 1 } });
    store.close();
  });

  it("add the last line and commands to a session of version 1, with the same result as a fold", () => {
    const old = openStore(path, { steps: migrations.slice(0, 1) });
    const script = new Script();
    const quiet = Array.from({ length: 120 }, () => textDone("of a subagent's", "itm_2")).map((one) => ({
      ...one,
      data: { ...one.data, parent: "itm_1" },
    }));
    const commands = draft("commands.changed", { list: [{ name: "compact" }] });
    old.commit({
      session: "ses_a",
      events: [...script.create(), ...script.add(textDone("seen"), commands, ...quiet)],
    });
    old.close();
    const db = new DatabaseSync(path);
    db.exec("UPDATE sessions SET view = json_remove(view, '$.last', '$.commandsAt')");
    db.close();
    const store = openStore(path);
    expect(store.sessions.get("ses_a")?.view).toMatchObject({ last: { seq: 2, text: "seen" }, commandsAt: 3 });
    expect(store.sessions.get("ses_a")?.view).toEqual(JSON.parse(JSON.stringify(script.view)));
    store.close();
  });

  it("add activity and the time of requests to the sessions of version 8, with the same result as a fold", () => {
    const old = openStore(path, { steps: migrations.slice(0, 8) });
    const ids = ["ses_quiet", "ses_asks"];
    const scripts = ids.map((id) => new Script(id));
    const note = draft("notice", { kind: "base_moved", severity: "warning", text: "main moved" });
    const comment = draft("comment.removed", { comment: "cmt_1" });
    for (const [index, script] of scripts.entries()) {
      const asked = index === 1 ? [inputRequest("inp_1", ids[1])] : [];
      const events = [...script.create(), ...script.add(textDone("seen"), ...asked, note, comment)];
      old.commit({ session: script.session, events });
    }
    old.close();
    const db = new DatabaseSync(path);
    db.exec(`UPDATE sessions SET updated_at = 'later',
      view = json_set(json_remove(view, '$.activity', '$.inputs[0].requestedAt'), '$.updatedAt', 'later')`);
    db.close();
    const store = openStore(path);
    for (const [index, script] of scripts.entries()) {
      const row = store.sessions.get(script.session);
      expect(row?.view).toEqual(JSON.parse(JSON.stringify(script.view)));
      expect(row?.view.activity?.seq).toBe(index === 1 ? 3 : 2);
      expect(row?.updatedAt).toBe(row?.view.activity?.at);
    }
    store.close();
  });

  it("make the same tables as those of a new database, which takes none of the steps", () => {
    const fresh = join(home, "new.db");
    openStore(path, { steps: [...migrations] }).close();
    openStore(fresh).close();
    expect(tablesOf(fresh)).toEqual(tablesOf(path));
  });

  it("are not needed by a new database, which has a write-ahead log and no draft", () => {
    writeFileSync(`${path}.new`, "the draft of a start that was killed");
    openStore(path).close();
    expect(version()).toBe(migrations.length);
    expect(look<string>("PRAGMA journal_mode")).toBe("wal");
    expect(look<string>("PRAGMA integrity_check")).toBe("ok");
    expect(readdirSync(home)).toEqual(["gantry.db"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("never apply the write-ahead log of a lost database to a new one", () => {
    const lost = openStore(path);
    lost.meta.set("port", "4000");
    copyFileSync(`${path}-wal`, join(home, "wal"));
    lost.close();
    rmSync(path);
    renameSync(join(home, "wal"), `${path}-wal`);
    const store = openStore(path);
    expect(store.meta.get("port")).toBeUndefined();
    store.close();
    expect(version()).toBe(migrations.length);
  });

  it("take the missing steps once and in order", () => {
    putVersion1();
    const taken: number[] = [];
    const step =
      (name: number): Migration =>
      (db) => {
        taken.push(name);
        db.exec(`CREATE TABLE added_${name} (x)`);
      };
    const steps = [step(1), step(2), step(3)];
    openStore(path, { steps }).close();
    openStore(path, { steps }).close();
    expect(taken).toEqual([2, 3]);
    expect(version()).toBe(3);
  });

  it("leave the last complete version when a step fails or crashes, and resume from it", () => {
    putVersion1();
    const good: Migration = (db) => db.exec("CREATE TABLE good (x)");
    const bad: Migration = (db) => {
      db.exec("CREATE TABLE half (x); DELETE FROM events");
      throw new Error("power cut");
    };
    const first: Migration = () => {};
    expect(() => openStore(path, { steps: [first, good, bad] })).toThrow("power cut");
    expect(version()).toBe(2);
    expect(look("SELECT count(*) FROM events")).toBe(7);
    expect(look("SELECT count(*) FROM sqlite_schema WHERE name = 'half'")).toBe(0);
    openStore(path, { steps: [first, good, (db) => db.exec("CREATE TABLE half (x)")] }).close();
    expect(version()).toBe(3);
  });
});

describe("a file that cannot be used", () => {
  it("is refused when it is newer, and is not modified", () => {
    putVersion1();
    const db = new DatabaseSync(path);
    db.exec("PRAGMA user_version = 99");
    db.close();
    const bytes = readFileSync(path);
    const failure = failureOf(() => openStore(path));
    expect(failure.message).toContain("has format 99");
    expect(failure.message).toContain("Nothing was changed");
    expect(failure.remedy).toContain("newer Gantry");
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("is refused when it is no database, and is not modified", () => {
    writeFileSync(path, "these are notes, not a database\n".repeat(200));
    const failure = failureOf(() => openStore(path));
    expect(failure.message).toContain("is not a database");
    expect(failure.message).toContain("It was not modified");
    expect(readFileSync(path, "utf8")).toContain("these are notes");
  });

  it("is refused when it is damaged", () => {
    putVersion1();
    const bytes = readFileSync(path);
    bytes.fill(0xaa, 100, 4096);
    writeFileSync(path, bytes);
    expect(failureOf(() => openStore(path)).message).toContain("is damaged");
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("is refused when its folder is not there", () => {
    const failure = failureOf(() => openStore(join(home, "missing", "gantry.db")));
    expect(failure.remedy).toContain("Check that the folder exists");
  });
});
