import type { AgentRow, SessionView } from "@gantry/protocol";
import { expect, test } from "vitest";
import { changesOf, type Entry, findEntries } from "./palette-entries.ts";

const entry = (name: string, group: Entry["group"] = "Session", hint?: string): Entry => {
  return { id: name, group, name, hint, run: () => undefined };
};

test("a few letters find a name, the best first", () => {
  const entries = [entry("Rates by zone"), entry("Zebra crossing"), entry("Inbox", "Place")];
  expect(findEntries(entries, "zebcr").map(({ name }) => name)).toEqual(["Zebra crossing"]);
  expect(findEntries(entries, "zone")[0]?.name).toBe("Rates by zone");
  expect(findEntries(entries, "qqq")).toEqual([]);
});

test("the hint is searched as well", () => {
  expect(findEntries([entry("Rates", "Session", "/work/parcels")], "parcels")).toHaveLength(1);
});

test("without words there are a few of each group", () => {
  const sessions = Array.from({ length: 50 }, (_, index) => entry(`Session ${index}`));
  const found = findEntries([...sessions, entry("Inbox", "Place")], " ");
  expect(found.at(-1)?.name).toBe("Inbox");
  expect(found.length).toBeLessThan(10);
});

test("what is in force already is no change", () => {
  const session = { mode: "ask", model: "small" } as SessionView;
  const models = { source: "live", items: ["small", "large"].map((id) => ({ id, name: id.toUpperCase() })) };
  const row = { modes: ["ask", "full-auto"], models } as unknown as AgentRow;
  expect(changesOf(session, row)).toEqual([
    { name: "Change mode to full-auto", change: { mode: "full-auto" } },
    { name: "Change model to LARGE", change: { model: "large" } },
  ]);
});
