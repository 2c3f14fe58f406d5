import { expect, test } from "vitest";
import { elsewhereText, resolutionIn, resolutionText } from "./resolution.ts";

const id = "inp_1";

test("a denial carries its word", () => {
  expect(resolutionText({ id, decision: "deny", by: "user", message: "use tabs" })).toBe("Denied: use tabs");
});

test("who settled it is told where it was not a person", () => {
  expect(resolutionText({ id, decision: "allow", by: "grant:gra_1" })).toBe("Allowed by a standing permission");
  expect(resolutionText({ id, decision: "cancel", by: "agent", reason: "the turn ended" })).toBe(
    "Withdrawn by the agent: the turn ended",
  );
});

test("an answer from elsewhere says so", () => {
  expect(elsewhereText({ id, decision: "allow", by: "user" })).toBe(
    "Answered elsewhere: allowed by you in another window or client",
  );
});

test("a refused answer may tell the first one", () => {
  expect(resolutionIn({ id, decision: "deny", by: "user" })).toMatchObject({ decision: "deny" });
  expect(resolutionIn(undefined)).toBeUndefined();
  expect(resolutionIn({ other: 1 })).toBeUndefined();
});
