import type { InputRequest } from "@gantry/protocol";
import { expect, test } from "vitest";
import { compareInputs } from "./input-order.ts";
import { riskOf } from "./risk.ts";

const CWD = "/work/parcels";

function input(id: string, more: Partial<InputRequest>): InputRequest {
  return { id, session: "ses_1", kind: "approval", title: id, options: [], questions: [], blocking: true, ...more };
}

const write = { name: "write", kind: "edit" };
const edit = input("inp_3", { tool: write, diff: [{ path: `${CWD}/a.ts`, kind: "update" }] });
const outside = input("inp_2", { tool: write, diff: [{ path: "/etc/hosts", kind: "update" }] });
const climbing = input("inp_2", { tool: write, diff: [{ path: "src/../../b", kind: "update" }] });
const command = input("inp_4", { tool: { name: "bash", kind: "execute", command: "ls" } });
const removal = input("inp_1", { tool: write, diff: [{ path: "a.ts", kind: "delete" }] });
const question = input("inp_9", { kind: "question" });

test.each([
  ["a file in the folder", edit, "medium"],
  ["a file elsewhere", outside, "high"],
  ["a path that climbs out", climbing, "high"],
  ["a command", command, "high"],
  ["a removed file", removal, "high"],
  ["a request for more permissions", input("inp_1", { kind: "permissions" }), "high"],
  ["a tool without files", input("inp_1", { tool: { name: "mail", kind: "other" } }), "medium"],
  ["a question", question, "low"],
])("rates %s", (_, asked, risk) => {
  expect(riskOf(asked, CWD).risk).toBe(risk);
});

test("treats a sibling folder with the same prefix as outside", () => {
  const neighbour = input("inp_1", { tool: write, diff: [{ path: `${CWD}-old/a.ts`, kind: "update" }] });
  expect(riskOf(neighbour, CWD)).toEqual({ risk: "high", why: "Outside the folder" });
});

test("sorts by age, oldest first, whatever the risk", () => {
  const at = (hour: number) => `2026-01-01T${hour}:00:00.000Z`;
  const sorted = [
    { ...question, requestedAt: at(12) },
    { ...edit, requestedAt: at(10) },
    { ...outside, requestedAt: at(11) },
  ].sort(compareInputs);
  expect(sorted.map(({ id }) => id)).toEqual(["inp_3", "inp_2", "inp_9"]);
  expect([command, removal, edit].sort(compareInputs).map(({ id }) => id)).toEqual(["inp_1", "inp_3", "inp_4"]);
});
