import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { countClasses, insertTable, type RecordedRun, recordPart, securityTable } from "./report.ts";
import { type Result, runSuite } from "./run-suite.ts";

const results: Result[] = [
  { name: "a", class: "names", outcome: { held: true } },
  { name: "b", class: "names", outcome: { held: false, effect: "read a secret" } },
  { name: "c", class: "files", outcome: { skipped: "no bubblewrap" } },
];

describe("the table of attacks", () => {
  it("counts held, broken and skipped attacks by class", () => {
    expect(countClasses(results)).toEqual([
      { class: "names", attacks: 2, held: 1, skipped: 0 },
      { class: "files", attacks: 1, held: 0, skipped: 1 },
    ]);
  });

  it("has a column for each peer, and replaces the old table in the file", () => {
    const part = recordPart({ suite: "port", about: "About.", results }, [
      { suite: "peer", about: "", results: results.slice(0, 1) },
    ]);
    const table = securityTable({ at: "2026-01-01", parts: [part] });
    expect(table).toContain("| port | names | 1 of 2 | 1 of 1 |");
    expect(table).toContain("| port | files | 0 of 0, 1 skipped | – |");
    const text = "# S\n<!-- hostile: start -->\nold\n<!-- hostile: end -->\nend\n";
    expect(insertTable(text, table)).toBe(`# S\n<!-- hostile: start -->\n\n${table}\n\n<!-- hostile: end -->\nend\n`);
    expect(() => insertTable("no markers", table)).toThrow("SECURITY.md has no");
  });
});

it("SECURITY.md has the table of the recorded run, in which all attacks on Gantry were held", () => {
  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "results.gen.json"), "utf8")) as RecordedRun;
  const text = readFileSync(join(import.meta.dirname, "../../SECURITY.md"), "utf8");
  expect(insertTable(text, securityTable(recorded))).toBe(text);
  const rows = recorded.parts.flatMap((part) => part.rows);
  expect(rows.filter(({ attacks, held, skipped }) => held + skipped !== attacks)).toEqual([]);
});

it("counts an attack that throws as not held, and closes the suite", async () => {
  const close = vi.fn(async () => undefined);
  const fails = { name: "a", class: "c", run: () => Promise.reject(new Error("no such program\nat x")) };
  const suite = {
    name: "s",
    about: "",
    open: async () => ({ attacks: [fails], close }),
  };
  const run = await runSuite(suite, () => undefined);
  expect(run.results[0]?.outcome).toEqual({ held: false, effect: "could not be carried out: no such program" });
  expect(close).toHaveBeenCalledOnce();
});
