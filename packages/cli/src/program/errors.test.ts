import { GantryError } from "@gantry/protocol";
import { EditorError, makePaint } from "@gantry/terminal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatReport } from "./error-text.ts";
import { environmentError, reportOf, rethrowEditorError } from "./errors.ts";
import { editDistance, isNearName } from "./near-names.ts";

test("chooses the exit status by the cause of the error", () => {
  expect(reportOf(new GantryError("invalid", "bad")).exit).toBe(2);
  expect(reportOf(new GantryError("no_such_session", "gone")).exit).toBe(2);
  expect(reportOf(new GantryError("unavailable", "down")).exit).toBe(3);
  expect(reportOf(new GantryError("agent_unavailable", "not there")).exit).toBe(3);
  expect(reportOf(new GantryError("unauthorized", "no token")).exit).toBe(3);
  expect(reportOf(new GantryError("internal", "oops")).exit).toBe(1);
  expect(reportOf(new TypeError("x is not a function"))).toMatchObject({ exit: 1, code: "unexpected" });
  expect(reportOf("thrown text").message).toContain("thrown text");
});

test("formats an error as lines for people and as one JSON value for programs", () => {
  const report = reportOf(environmentError("daemon_not_ready", "It ended.\n  last line", "Look at the log."));
  const people = formatReport(report, { json: false, notePaint: makePaint(false) });
  expect(people).toBe("✗ It ended.\n    last line\n  → Look at the log.");
  const program = JSON.parse(formatReport(report, { json: true, notePaint: makePaint(false) }));
  expect(program).toEqual({
    error: { code: "daemon_not_ready", message: "It ended.\n  last line", remedy: "Look at the log." },
  });
});

test("reports a missing editor as a problem of the environment, and passes other errors on", () => {
  const missing = new EditorError("No editor is configured.", "Set EDITOR.");
  expect(() => rethrowEditorError(missing, "Nothing was sent.")).toThrow(
    expect.objectContaining({ exit: 3, message: "No editor is configured. Nothing was sent.", remedy: "Set EDITOR." }),
  );
  expect(() => rethrowEditorError(new TypeError("other"), "")).toThrow(TypeError);
});

test.each([
  ["rnu", "run", true],
  ["handover", "handoff", true],
  ["lanse", "lanes", true],
  ["Model", "models", true],
  ["tui", "auth", false],
  ["bord", "fork", false],
  ["ui", "ls", false],
])("%s suggests %s: %s", (input, name, near) => {
  expect(isNearName(input, name)).toBe(near);
});

test("the distance is zero for equal texts only, symmetric, and at most the longer length", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "-"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b);
      expect(distance === 0).toBe(a === b);
      expect(distance).toBe(editDistance(b, a));
      expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});
