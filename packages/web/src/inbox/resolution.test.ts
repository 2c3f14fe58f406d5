import { expect, test } from "vitest";
import { answeredElsewhereText, parseResolution, resolutionText } from "./resolution.ts";

const id = "inp_1";

test("shows the feedback of a denial", () => {
  expect(resolutionText({ id, decision: "deny", by: "user", message: "use tabs" })).toBe("Denied: use tabs");
});

test("names the process that settled an input if it was not the user", () => {
  expect(resolutionText({ id, decision: "allow", by: "grant:gra_1" })).toBe("Allowed by a permission you granted");
  expect(resolutionText({ id, decision: "allow", by: "session:ses_lead" })).toBe("Allowed by its lead");
  expect(resolutionText({ id, decision: "cancel", by: "agent", reason: "the turn ended" })).toBe(
    "Withdrawn by the agent: the turn ended",
  );
});

test("marks an answer from another client", () => {
  expect(answeredElsewhereText({ id, decision: "allow", by: "user" })).toBe(
    "Answered elsewhere: allowed by you in another window or client",
  );
});

test("reads the first answer from the details of a refused one", () => {
  expect(parseResolution({ id, decision: "deny", by: "user" })).toMatchObject({ decision: "deny" });
  expect(parseResolution(undefined)).toBeUndefined();
  expect(parseResolution({ other: 1 })).toBeUndefined();
});
