import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Action } from "../permissions/action.ts";
import { openAudit } from "./audit.ts";
import { type BudgetExceeded, createUnattended } from "./unattended.ts";

const declaration = {
  actor: "tester",
  budget: { max_tokens: 100, max_tool_calls: 2, max_wall_time_ms: 1000, max_cost_usd: 1 },
  scopes: ["prompt", "bash"],
  action_allowlist: ["bash.readonly", "file.write"],
};

describe("unattended runs", () => {
  let folder: string;
  let aborts: BudgetExceeded[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gantry-unattended-"));
    aborts = [];
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });

  const start = () =>
    createUnattended({
      scopes: ["prompt", "bash", "control"],
      openAudit: (run) => openAudit(folder, run),
      abort: async (reason) => void aborts.push(reason),
    });
  const call = (id: string, ...actions: Action[]) => ({ toolCallId: id, toolName: "t", title: "t", args: {}, actions });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "invalid_unattended_declaration"],
    ["no actor", { ...declaration, actor: "" }, "invalid_unattended_declaration"],
    [
      "three budgets",
      { ...declaration, budget: { ...declaration.budget, max_cost_usd: undefined } },
      "incomplete_budget",
    ],
    ["a budget of nothing", { ...declaration, budget: { ...declaration.budget, max_tokens: 0 } }, "incomplete_budget"],
    ["no limit", { ...declaration, budget: { ...declaration.budget, max_tokens: "∞" } }, "incomplete_budget"],
    ["another metric", { ...declaration, budget: { ...declaration.budget, max_hope: 1 } }, "unsupported_budget_metric"],
    ["an unknown scope", { ...declaration, scopes: ["everything"] }, "invalid_unattended_declaration"],
    ["an unknown action", { ...declaration, action_allowlist: ["*"] }, "invalid_unattended_declaration"],
  ])("are refused for %s", (_what, raw, code) => {
    const unattended = start();
    expect(unattended.negotiate(raw)).toMatchObject({ refusal: { code } });
    expect(unattended.accepted).toBeUndefined();
  });

  it("restrict nothing before they are negotiated", () => {
    const unattended = start();
    expect(unattended.guard.beforeTool("bash", call("1", { kind: "bash.destructive", command: "rm -rf /" }))).toEqual(
      {},
    );
    expect(unattended.deny("bash", "bash", ["bash.destructive"])).toBeUndefined();
  });

  it("deny the model exactly the actions that are not allowed", () => {
    const unattended = start();
    unattended.negotiate(declaration);
    const denied = unattended.guard.beforeTool(
      "bash",
      call("1", { kind: "bash.readonly", command: "ls" }, { kind: "file.delete", path: "/a" }),
    );
    expect(denied.refused).toContain("file.delete");
    expect(denied.stop).toBeUndefined();
    expect(unattended.guard.beforeTool("write", call("2", { kind: "file.write", path: "/a" }))).toEqual({});
    expect(aborts).toEqual([]);
  });

  it("end at once when the tool call budget is exhausted", () => {
    const unattended = start();
    unattended.negotiate(declaration);
    const read = { kind: "file.read", path: "/a" } as const;
    expect(unattended.guard.beforeTool("read", call("1", read))).toEqual({});
    expect(unattended.guard.beforeTool("read", call("2", read))).toEqual({});
    expect(unattended.guard.beforeTool("read", call("3", read))).toMatchObject({ stop: true });
    expect(aborts).toMatchObject([{ metric: "tool_calls", limit: 2, observed: 3 }]);
    expect(unattended.guard.beforeRequest()).toMatchObject({ stop: true });
    expect(unattended.deny("prompt", "prompt", [])).toMatchObject({ code: "budget_exceeded", metric: "tool_calls" });
    expect(unattended.deny("abort", "prompt", [])).toBeUndefined();
    expect(unattended.negotiate(declaration)).toMatchObject({ refusal: { code: "unattended_aborted" } });
  });

  it.each([
    ["tokens", { tokens: 101, costUsd: 0 }],
    ["cost", { tokens: 1, costUsd: 1.01 }],
  ])("end at once when %s are used up, in the middle of a turn", (metric, usage) => {
    const unattended = start();
    unattended.negotiate(declaration);
    unattended.guard.recordUsage(usage);
    expect(aborts).toMatchObject([{ metric }]);
  });

  it("end when the time budget is exhausted, without any further command", () => {
    vi.useFakeTimers();
    const unattended = start();
    unattended.negotiate(declaration);
    vi.advanceTimersByTime(999);
    expect(aborts).toEqual([]);
    vi.advanceTimersByTime(3);
    expect(aborts).toMatchObject([{ metric: "wall_time", phase: "timer" }]);
  });

  it("can be narrowed but never widened", () => {
    const unattended = start();
    unattended.negotiate(declaration);
    const wider = { ...declaration, budget: { ...declaration.budget, max_tokens: 101 } };
    expect(unattended.negotiate(wider)).toMatchObject({ refusal: { code: "invalid_unattended_declaration" } });
    expect(unattended.negotiate({ ...declaration, scopes: ["control"] })).toHaveProperty("refusal");
    expect(unattended.negotiate({ ...declaration, action_allowlist: ["file.delete"] })).toHaveProperty("refusal");
    const run = unattended.accepted?.run_id;
    expect(unattended.negotiate({ ...declaration, scopes: ["prompt"] })).toMatchObject({ accepted: { run_id: run } });
    expect(unattended.deny("bash", "bash", [])).toMatchObject({
      code: "scope_denied",
      scope: "bash",
      pre_side_effect: true,
    });
  });

  it("restrict commands to scopes and actions", () => {
    const unattended = start();
    unattended.negotiate(declaration);
    expect(unattended.deny("bash", "bash", ["bash.mutating"])).toMatchObject({
      code: "action_denied",
      action: "bash.mutating",
    });
    expect(unattended.deny("bash", "bash", ["bash.readonly"])).toBeUndefined();
    expect(unattended.deny("set_model", "model", [])).toMatchObject({ code: "scope_denied" });
  });

  it("record each event once in the audit log", () => {
    const unattended = start();
    const outcome = unattended.negotiate(declaration);
    const run = "accepted" in outcome ? outcome.accepted.run_id : "";
    unattended.guard.beforeTool("bash", call("c1", { kind: "bash.mutating", command: "touch a" }));
    unattended.record("gate_answered", "k", { answer_hash: "abc" });
    unattended.record("gate_answered", "k", { answer_hash: "abc" });
    unattended.close();
    const lines = readFileSync(join(folder, `${run}.jsonl`), "utf8")
      .trim()
      .split("\n");
    const events = lines.map((line) => JSON.parse(line) as { event: string; run_id: string });
    expect(events.map(({ event }) => event)).toEqual(["negotiated", "action_denied", "gate_answered"]);
    expect(events.every(({ run_id }) => run_id === run)).toBe(true);
  });
});
