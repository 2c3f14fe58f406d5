import { GantryError } from "@gantry/protocol";
import { makePaint } from "@gantry/terminal";
import { expect, test } from "vitest";
import { formatReport } from "./error-text.ts";
import { environmentError, reportOf } from "./errors.ts";

test("whose fault it is decides the exit status", () => {
  expect(reportOf(new GantryError("invalid", "bad")).exit).toBe(2);
  expect(reportOf(new GantryError("no_such_session", "gone")).exit).toBe(2);
  expect(reportOf(new GantryError("unavailable", "down")).exit).toBe(3);
  expect(reportOf(new GantryError("agent_unavailable", "not there")).exit).toBe(3);
  expect(reportOf(new GantryError("unauthorized", "no token")).exit).toBe(3);
  expect(reportOf(new GantryError("internal", "oops")).exit).toBe(1);
  expect(reportOf(new TypeError("x is not a function"))).toMatchObject({ exit: 1, code: "unexpected" });
  expect(reportOf("thrown text").message).toContain("thrown text");
});

test("people get lines, programs get one JSON value", () => {
  const report = reportOf(environmentError("daemon_not_ready", "It ended.\n  last line", "Look at the log."));
  const people = formatReport(report, { json: false, notePaint: makePaint(false) });
  expect(people).toBe("✗ It ended.\n    last line\n  → Look at the log.");
  const program = JSON.parse(formatReport(report, { json: true, notePaint: makePaint(false) }));
  expect(program).toEqual({
    error: { code: "daemon_not_ready", message: "It ended.\n  last line", remedy: "Look at the log." },
  });
});
