import type { SearchHit } from "@gantry/protocol";
import { expect, test } from "vitest";
import { groupHits, partsOf } from "./snippet.ts";

const marked = (snippet: string) => partsOf(snippet).map(({ text, marked }) => (marked ? `*${text}*` : text));

test("matches are told from the text around them", () => {
  expect(marked("the [price] per [kilogram]")).toEqual(["the ", "*price*", " per ", "*kilogram*"]);
  expect(marked("nothing")).toEqual(["nothing"]);
  expect(marked("")).toEqual([]);
});

test("a bracket that is never closed is text", () => {
  expect(marked("a[0 = [price] and b[1")).toEqual(["a", "*0 = [price*", " and b[1"]);
});

test("hits of one session stand together, at the place of the first", () => {
  const hit = (session: string, seq: number) => ({ session, seq, title: session.toUpperCase() }) as SearchHit;
  const groups = groupHits([hit("a", 1), hit("b", 2), hit("a", 3)]);
  expect(groups.map(({ title, hits }) => [title, hits.map(({ seq }) => seq)])).toEqual([
    ["A", [1, 3]],
    ["B", [2]],
  ]);
});
