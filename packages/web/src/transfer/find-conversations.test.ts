import type { PastConversation } from "@gantry/protocol";
import { expect, it } from "vitest";
import { findConversations } from "./find-conversations.ts";

const conversation = (id: string, title: string, cwd: string): PastConversation => ({
  agent: "agent",
  id,
  title,
  cwd,
  path: `/x/${id}`,
  updatedAt: "2026-11-16T00:00:00.000Z",
  bytes: 1,
});

it("finds conversations that contain every term of the query", () => {
  const all = [conversation("1", "Round the rates", "/code/parcel"), conversation("2", "Fix the parser", "/code/web")];
  const ids = (query: string) => findConversations(all, query).map(({ id }) => id);
  expect(ids("")).toEqual(["1", "2"]);
  expect(ids("  parcel RATES ")).toEqual(["1"]);
  expect(ids("the")).toEqual(["1", "2"]);
  expect(ids("rates web")).toEqual([]);
});
