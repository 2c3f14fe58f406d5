import { ladder } from "@gantry/protocol";
import { expect, test } from "vitest";
import { modeDescriptions, openingPermissions, readMode, rungs, settingParams } from "./modes.ts";

test("has a description and parameters for every mode", () => {
  expect(Object.keys(rungs)).toEqual([...ladder]);
  expect(Object.keys(modeDescriptions)).toEqual([...ladder, "inherit"]);
  expect(openingPermissions("inherit")).toEqual({});
});

test("asks less in a more permissive mode", () => {
  expect(rungs.plan.sandbox).toBe("read-only");
  expect(rungs.ask.approvalPolicy).toBe("untrusted");
  expect(rungs["auto-edit"]).toMatchObject({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  expect(rungs["full-auto"]).toMatchObject({ approvalPolicy: "never", sandbox: "danger-full-access" });
});

test.each([...ladder])("reads mode %s back from its native settings", (mode) => {
  const { collaborationMode, ...params } = settingParams({ mode }, { model: "m", mode: "plan" });
  expect(readMode({ ...params, collaborationMode })).toBe(mode);
});

test("maps unknown settings to no mode", () => {
  expect(readMode({ approvalPolicy: "on-request", sandbox: { type: "readOnly" } })).toBeUndefined();
  expect(readMode({ approvalPolicy: { granular: {} }, sandbox: { type: "constructor" } })).toBeUndefined();
  expect(readMode({})).toBeUndefined();
});
