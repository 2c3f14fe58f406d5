import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LaunchOptions } from "../../contract.ts";
import { streamJson } from "../channel.ts";
import { readOwnRules } from "./own-rules.ts";

const options: LaunchOptions = { cwd: "/work", mode: "ask", uuid: "u", dir: "/given" };

function managed(more: Partial<LaunchOptions>) {
  const { args } = streamJson.launch({ ...options, ...more });
  const at = args.indexOf("--managed-settings");
  return at < 0 ? undefined : JSON.parse(args[at + 1] ?? "");
}

test("admits only the rules that deny, and in the modes that ask those that ask", () => {
  const ownRules = { deny: ["Bash(rm *)"], ask: ["Write"] };
  expect(managed({ ownRules })).toEqual({ allowManagedPermissionRulesOnly: true, permissions: ownRules });
  expect(managed({ ownRules, mode: "full-auto" })?.permissions).toEqual({ deny: ["Bash(rm *)"] });
  expect(managed({ ownRules, mode: "inherit" })).toBeUndefined();
});

test("names an SDK as the parent for versions that ignore the settings otherwise, and if the version is unknown", () => {
  const parent = (version?: string, mode: LaunchOptions["mode"] = "plan") =>
    streamJson.launch({ ...options, mode, version }).env?.CLAUDE_CODE_ENTRYPOINT;
  expect(["2.1.118", "2.1.196", undefined].map((version) => parent(version))).toEqual(["sdk-ts", "sdk-ts", "sdk-ts"]);
  expect(["2.1.197", "2.1.325"].map((version) => parent(version))).toEqual([undefined, undefined]);
  expect(parent("2.1.118", "inherit")).toBeUndefined();
});

test("changes to a mode that does not ask only with the next process if the user has rules that ask", () => {
  const state = streamJson.initial({ ...options, ownRules: { deny: [], ask: ["Write"] } });
  expect(streamJson.encode(state, { type: "set", mode: "full-auto" })).toBeUndefined();
  expect(streamJson.encode(state, { type: "set", mode: "plan" })).toHaveLength(1);
  const without = streamJson.initial({ ...options, ownRules: { deny: ["x"], ask: [] } });
  expect(streamJson.encode(without, { type: "set", mode: "auto-edit" })).toHaveLength(1);
});

test("reads the rules of the user and of the project, and none from a damaged file", () => {
  const home = mkdtempSync(join(tmpdir(), "gantry-rules-"));
  const write = (file: string, text: string) => {
    mkdirSync(join(home, file, ".."), { recursive: true });
    writeFileSync(join(home, file), text);
  };
  write(".claude/settings.json", JSON.stringify({ permissions: { deny: ["a"], allow: ["b"], ask: [1, "c"] } }));
  write("p/.claude/settings.json", "{");
  write("p/.claude/settings.local.json", JSON.stringify({ permissions: { deny: ["d"] } }));
  expect(readOwnRules({ env: { HOME: home }, cwd: join(home, "p") })).toEqual({ deny: ["a", "d"], ask: ["c"] });
});

test("keeps the rules that ask if a control makes a free mode ask", () => {
  const ownRules = { deny: [], ask: ["Read(x)"] };
  const asks = (mode: LaunchOptions["mode"], native: string) =>
    managed({ ownRules, mode, controls: { "permission-mode": native } })?.permissions;
  expect(asks("full-auto", "default")).toEqual(ownRules);
  expect(asks("full-auto", "acceptEdits")).toEqual({ deny: [] });
  expect(asks("ask", "bypassPermissions")).toEqual(ownRules);
});

test("starts another process for a mode whose rules the running one does not have", () => {
  const set = (from: LaunchOptions["mode"], mode: LaunchOptions["mode"], ask: string[] = []) =>
    streamJson.encode(streamJson.initial({ ...options, mode: from, ownRules: { deny: [], ask } }), {
      type: "set",
      mode,
    });
  expect(set("inherit", "ask")).toBeUndefined();
  expect(set("ask", "inherit")).toBeUndefined();
  expect(set("full-auto", "ask", ["Write"])).toBeUndefined();
  expect(set("full-auto", "ask")).toHaveLength(1);
});
