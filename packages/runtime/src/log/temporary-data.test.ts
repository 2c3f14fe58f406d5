import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Store } from "./port.ts";
import { Database } from "./sqlite/database.ts";
import { openStore } from "./sqlite/open.ts";
import { Script, textDone } from "./testing/events.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

function startSession(store: Store): Script {
  const script = new Script("ses_a");
  store.commit({ session: "ses_a", events: script.create() });
  return script;
}

/** The statements that `work` runs, with the operations of SQLite's program for each. */
function programsOf(work: () => void): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const databases = new Set<Database>();
  for (const method of ["all", "run"] as const) {
    const original = Database.prototype[method] as (sql: string, ...values: never[]) => never;
    vi.spyOn(Database.prototype, method).mockImplementation(function (this: Database, sql: string, ...values) {
      databases.add(this);
      found.set(sql, []);
      return original.call(this, sql, ...(values as never[]));
    });
  }
  work();
  vi.restoreAllMocks();
  const [database] = databases;
  const explain = (sql: string) =>
    database?.all<{ opcode: string }>(`EXPLAIN ${sql}`).map(({ opcode }) => opcode) ?? [];
  return new Map([...found.keys()].map((sql) => [sql, explain(sql)]));
}

it("builds no temporary table when it inserts events", () => {
  const store = openStore(join(home, "gantry.db"));
  const script = startSession(store);
  const texts = Array.from({ length: 17 }, (_, n) => textDone(`${n}`));
  const programs = programsOf(() => store.commit({ session: "ses_a", events: script.add(...texts) }));
  const inserts = [...programs].filter(([sql]) => sql.includes("INTO events"));
  expect(inserts.length).toBe(2);
  for (const [, operations] of inserts) expect(operations).not.toContain("OpenEphemeral");
  store.close();
});

it("reads the events of turns from their index", () => {
  const store = openStore(join(home, "gantry.db"));
  let plan = "";
  const all = Database.prototype.all as (sql: string, ...values: unknown[]) => { detail: string }[];
  vi.spyOn(Database.prototype, "all").mockImplementation(function (this: Database, sql: string, ...values) {
    plan += all.call(this, `EXPLAIN QUERY PLAN ${sql}`, ...values)[0]?.detail;
    return [];
  });
  store.turnEvents("ses_a");
  vi.restoreAllMocks();
  expect(plan).toContain("events_of_turns");
  store.close();
});
