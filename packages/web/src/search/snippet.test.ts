import type { SearchHit } from "@gantry/protocol";
import { expect, test } from "vitest";
import { groupHits, splitSnippet } from "./snippet.ts";

const markSnippet = (snippet: string) => splitSnippet(snippet).map(({ text, marked }) => (marked ? `*${text}*` : text));

test("separates matches from the surrounding text", () => {
  expect(markSnippet("the [price] per [kilogram]")).toEqual(["the ", "*price*", " per ", "*kilogram*"]);
  expect(markSnippet("nothing")).toEqual(["nothing"]);
  expect(markSnippet("")).toEqual([]);
});

test("treats an unclosed bracket as text", () => {
  expect(markSnippet("a[0 = [price] and b[1")).toEqual(["a", "*0 = [price*", " and b[1"]);
});

test("groups the hits of a session at the position of its first hit", () => {
  const hit = (session: string, seq: number) => ({ session, seq, title: session.toUpperCase() }) as SearchHit;
  const groups = groupHits([hit("a", 1), hit("b", 2), hit("a", 3)]);
  expect(groups.map(({ title, hits }) => [title, hits.map(({ seq }) => seq)])).toEqual([
    ["A", [1, 3]],
    ["B", [2]],
  ]);
});
