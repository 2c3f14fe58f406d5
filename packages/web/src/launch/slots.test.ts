import type { AgentRow } from "@gantry/protocol";
import { expect, it } from "vitest";
import { addSlot, changeSlot, firstSlots, slotsOf } from "./slots.ts";

const row = (id: string, state: string, auth = "ok") => ({ id, name: id, state, auth: { state: auth } }) as AgentRow;

it("starts with two ready agents, logged-in ones first", () => {
  const agents = (rows: AgentRow[]) => firstSlots(rows, "ask").map(({ agent }) => agent);
  expect(agents([row("a", "missing"), row("b", "ready", "missing"), row("c", "ready"), row("d", "ready")])).toEqual([
    "c",
    "d",
  ]);
  expect(agents([row("b", "ready", "missing")])).toEqual(["b", "b"]);
  expect(agents([row("a", "missing")])).toEqual([]);
});

it("copies the last slot when one is added and omits unset fields from the request", () => {
  const two = firstSlots([row("a", "ready"), row("b", "ready")], "ask");
  const three = addSlot(changeSlot(two, 1, { model: "big" }));
  expect(new Set(three.map(({ key }) => key)).size).toBe(3);
  expect(slotsOf(changeSlot(three, 0, { mode: "full-auto" }))).toEqual([
    { agent: "a", mode: "full-auto" },
    { agent: "b", mode: "ask", model: "big" },
    { agent: "b", mode: "ask", model: "big" },
  ]);
});
