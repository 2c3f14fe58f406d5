import { choicesOfMode, isModeWithin, ladder, type Mode, matchRules } from "@gantry/protocol";
import { expect, test } from "vitest";
import { codexControls } from "./controls.ts";
import { modeDescriptions, openingPermissions, permissionsOf, readMode, settingParams } from "./modes.ts";

const [approvals = [], sandboxes = []] = ["approval", "sandbox"].map((id) =>
  codexControls.items.find((item) => item.id === id)?.choices.map((choice) => choice.id),
);
const pairs = approvals.flatMap((approval) => sandboxes.map((sandbox) => ({ approval, sandbox })));
const policies: Record<string, string> = {
  "read-only": "readOnly",
  "workspace-write": "workspaceWrite",
  "danger-full-access": "dangerFullAccess",
};

test("has a description and parameters for every mode", () => {
  expect(Object.keys(modeDescriptions)).toEqual([...ladder, "inherit"]);
  expect(openingPermissions("inherit")).toEqual({});
  expect(ladder.map((mode) => permissionsOf(mode))).toEqual([
    { approval: "on-request", sandbox: "read-only" },
    { approval: "untrusted", sandbox: "workspace-write" },
    { approval: "on-request", sandbox: "workspace-write" },
    { approval: "never", sandbox: "danger-full-access" },
  ]);
});

test.each([...ladder])("reads mode %s back from its native settings", (mode) => {
  const params = settingParams({ asked: mode }, { model: "m", mode: "plan" });
  expect(readMode(params ?? {})).toBe(mode);
});

test("maps unknown settings to no mode", () => {
  expect(readMode({ approvalPolicy: { granular: {} }, sandbox: { type: "readOnly" } })).toBeUndefined();
  expect(readMode({ approvalPolicy: "on-request", sandbox: { type: "constructor" } })).toBeUndefined();
  expect(readMode({})).toBeUndefined();
});

test("reads every pair of policy and sandbox back as a mode that its rule permits", () => {
  const known = pairs.filter(({ approval, sandbox }) => approval !== "config-toml" && sandbox !== "config-toml");
  expect(known).toHaveLength(12);
  for (const { approval, sandbox } of known) {
    const read = readMode({ approvalPolicy: approval, sandbox: { type: policies[sandbox] } });
    const needs = matchRules(codexControls, { approval, sandbox });
    expect(read).toBe(isModeWithin(needs, "ask") ? "ask" : needs);
  }
  expect(readMode({ approvalPolicy: "never", sandbox: { type: "workspaceWrite" } })).toBe("auto-edit");
  expect(readMode({ approvalPolicy: "untrusted", sandbox: { type: "dangerFullAccess" } })).toBe("full-auto");
});

test("never applies a pair that allows more than the mode", () => {
  for (const mode of [...ladder, "inherit"] as Mode[]) {
    for (const controls of [
      ...pairs,
      ...approvals.map((approval) => ({ approval })),
      ...sandboxes.map((sandbox) => ({ sandbox })),
    ]) {
      const applied = permissionsOf(mode, controls);
      const full = { approval: "config-toml", sandbox: "config-toml", ...applied };
      if (mode === "inherit" && Object.keys(applied).length === 0) continue;
      expect(isModeWithin(matchRules(codexControls, full), mode), `${mode} ${JSON.stringify(controls)}`).toBe(true);
    }
  }
  expect(permissionsOf("plan", { sandbox: "workspace-write" })).toEqual(choicesOfMode(codexControls, "plan"));
  expect(permissionsOf("full-auto", { sandbox: "workspace-write" })).toEqual({
    approval: "never",
    sandbox: "workspace-write",
  });
});

test("clears the service tier with null, and leaves it out if it is not set", () => {
  const current = { asked: "ask", controls: { fast: "on" } } as const;
  expect(settingParams({ controls: { fast: "off" } }, current)).toMatchObject({ serviceTier: null });
  expect(settingParams({ controls: { fast: "on" } }, {})).toMatchObject({ serviceTier: "fast" });
  expect(settingParams({ effort: "high" }, current)).toEqual({ effort: "high" });
  expect(settingParams({ controls: {} }, current)).toBeUndefined();
});

test("needs a new thread to return to config.toml", () => {
  const current = { asked: "inherit", controls: { sandbox: "read-only" } } as const;
  expect(settingParams({ controls: {} }, current)).toBeUndefined();
  expect(settingParams({ controls: { sandbox: "read-only", approval: "never" } }, current)).toMatchObject({
    approvalPolicy: "never",
    sandboxPolicy: { type: "readOnly" },
  });
});
