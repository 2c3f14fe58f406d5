import type { SearchHit } from "@gantry/protocol";
import { expect, test } from "vitest";
import { filterQuery } from "./filter-query.ts";
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

test("passes the filters of the address to the API, and drops values that it would refuse", () => {
  const now = new Date(2026, 10, 18, 15);
  const day = (date: number) => new Date(2026, 10, date).toISOString();
  expect(filterQuery({ agent: "a", folder: "/w", kind: "tool", since: "6", order: "relevance" }, now)).toEqual({
    agent: "a",
    folder: "/w",
    kind: "tool",
    since: day(12),
    order: "relevance",
  });
  expect(filterQuery({ since: "0" }, now)).toEqual({ since: day(18) });
  expect(filterQuery({ kind: "x", since: "1e9", order: "x", agent: "" }, now)).toEqual({});
});
