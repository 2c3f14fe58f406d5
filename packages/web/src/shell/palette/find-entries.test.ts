import { expect, test } from "vitest";
import { type Entry, findEntries } from "./find-entries.ts";

const entry = (name: string, group: Entry["group"] = "Session", hint?: string): Entry => {
  return { id: name, group, name, hint, run: () => undefined };
};

test("a few letters find a name, best match first", () => {
  const entries = [entry("Rates by zone"), entry("Zebra crossing"), entry("Inbox", "Go to")];
  expect(findEntries(entries, "zebcr").map(({ name }) => name)).toEqual(["Zebra crossing"]);
  expect(findEntries(entries, "zone")[0]?.name).toBe("Rates by zone");
  expect(findEntries(entries, "qqq")).toEqual([]);
});

test("the hint is searched as well", () => {
  expect(findEntries([entry("Rates", "Session", "/work/parcels")], "parcels")).toHaveLength(1);
});

test("an empty query gives the first few entries of each group", () => {
  const sessions = Array.from({ length: 50 }, (_, index) => entry(`Session ${index}`));
  const found = findEntries([...sessions, entry("Inbox", "Go to")], " ");
  expect(found.at(-1)?.name).toBe("Inbox");
  expect(found.length).toBeLessThan(10);
});
