import { expect, test } from "vitest";
import { takeForeignFlags } from "./foreign-flags.ts";

const flags = { mode: { kind: "enum" }, noTitle: { kind: "boolean" }, sessionDir: { kind: "parsed" } };
const takeFlags = (line: string) => {
  const { rest, left } = takeForeignFlags(line.split(" "), flags);
  return [rest.join(" "), ...left];
};

test("removes foreign flags with their values", () => {
  expect(
    takeFlags("agent --mode rpc --provider-session-id p1 --session-dir --odd --foo --no-title --bar=1 -p"),
  ).toEqual(["agent --mode rpc --session-dir --odd --no-title -p", "--provider-session-id p1", "--foo", "--bar=1"]);
  expect(takeFlags("agent --foo bar --mode=rpc")).toEqual(["agent --mode=rpc", "--foo bar"]);
});

test("every other command line is unchanged", () => {
  for (const line of ["agent --mode json --foo", "run --mode rpc --foo", "agent --foo rpc", "agent rpc --foo --mode"]) {
    expect(takeFlags(line)).toEqual([line]);
  }
});
