import fc from "fast-check";
import { expect, test } from "vitest";
import { type Entry, findEntries, paletteGroups } from "./find-entries.ts";

const entry = (name: string, group: Entry["group"] = "Sessions", hint?: string): Entry => {
  return { id: `${group} ${name}`, group, name, hint, run: () => undefined };
};

test("a few letters find a name, best match first", () => {
  const entries = [entry("Rates by zone"), entry("Zebra crossing"), entry("Inbox", "Go to")];
  expect(findEntries(entries, "zebcr").map(({ name }) => name)).toEqual(["Zebra crossing"]);
  expect(findEntries(entries, "zone")[0]?.name).toBe("Rates by zone");
  expect(findEntries(entries, "qqq")).toEqual([]);
});

test("the hint is searched as well", () => {
  expect(findEntries([entry("Rates", "Sessions", "/work/parcels")], "parcels")).toHaveLength(1);
});

test("an empty query gives the first few entries of each group", () => {
  const sessions = Array.from({ length: 50 }, (_, index) => entry(`Session ${index}`));
  const found = findEntries([...sessions, entry("Inbox", "Go to")], " ");
  expect(found.at(-1)?.name).toBe("Inbox");
  expect(found.length).toBeLessThan(10);
});

test("with an empty query no entry that changes something comes before one that navigates", () => {
  const entries = fc.array(fc.record({ group: fc.constantFrom(...paletteGroups), name: fc.string({ minLength: 1 }) }));
  fc.assert(
    fc.property(entries, (list) => {
      const found = findEntries(
        list.map(({ name, group }) => entry(name, group)),
        "",
      );
      const places = found.map(({ group }) => paletteGroups.indexOf(group));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      const hasNavigation = list.some(({ group }) => paletteGroups.indexOf(group) < 3);
      if (hasNavigation) expect(["This session", "Actions"]).not.toContain(found[0]?.group);
    }),
  );
});

test("results of a query stay together by group", () => {
  const list = [
    entry("Fork this session", "This session"),
    entry("forks of the shop"),
    entry("Fork all", "This session"),
  ];
  const groups = findEntries(list, "fork").map(({ group }) => group);
  expect(groups.filter((group, index) => group !== groups[index - 1])).toHaveLength(2);
});
