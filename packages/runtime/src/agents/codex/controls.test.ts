import type { Mode } from "@gantry/protocol";
import { expect, test } from "vitest";
import { FakeAppServer, THREAD } from "./app-server/conversation.ts";
import { exec } from "./exec/channel.ts";

const hello = { id: 1, result: { userAgent: "x", codexHome: "/home/dev/.codex" } };

test("switches the service tier on, and off with an explicit null", () => {
  const conversation = FakeAppServer.open({ mode: "ask" });
  conversation.command({ type: "set", controls: { fast: "on" } });
  expect(conversation.lastSent).toMatchObject({ method: "thread/settings/update", params: { serviceTier: "fast" } });
  expect(conversation.receive({ id: conversation.lastSent.id, result: {} })).toMatchObject([
    { kind: "applied", field: "mode", ok: true },
    { kind: "applied", field: "controls", value: "fast=on", ok: true },
  ]);
  conversation.command({ type: "set", controls: { fast: "off" } });
  expect(conversation.lastSent.params).toHaveProperty("serviceTier", null);
});

test("opens a thread with a tier only if the session sets one", () => {
  const opened = (controls?: Record<string, string>) => {
    const conversation = new FakeAppServer({ mode: "ask", ...(controls ? { controls } : {}) });
    conversation.receive(hello);
    return conversation.lastSent.params ?? {};
  };
  expect(opened()).not.toHaveProperty("serviceTier");
  expect(opened({ fast: "on" })).toHaveProperty("serviceTier", "fast");
  expect(opened({ fast: "off" })).toHaveProperty("serviceTier", null);
});

test("combines policy and sandbox with the mode, and recomputes them when the mode changes", () => {
  const controls = { sandbox: "workspace-write", approval: "never" };
  const conversation = new FakeAppServer({ mode: "full-auto", controls });
  conversation.receive(hello);
  expect(conversation.lastSent.params).toMatchObject({ approvalPolicy: "never", sandbox: "workspace-write" });
  const sandbox = { type: "workspaceWrite", networkAccess: false };
  const opened = { thread: { id: THREAD }, model: "m-1", approvalPolicy: "never", sandbox };
  expect(conversation.receive({ id: 2, result: opened })).toMatchObject([
    { kind: "ack" },
    { kind: "ready", mode: "auto-edit", native: "never + workspace-write" },
    { kind: "controls", values: { approval: "never", sandbox: "workspace-write" } },
  ]);
  conversation.command({ type: "set", mode: "plan" });
  expect(conversation.lastSent.params).toMatchObject({
    approvalPolicy: "on-request",
    sandboxPolicy: { type: "readOnly" },
    collaborationMode: { mode: "plan" },
  });
});

test("reports what config.toml sets in inherit mode", () => {
  const conversation = new FakeAppServer({ mode: "inherit" });
  conversation.receive(hello);
  const result = {
    thread: { id: THREAD },
    approvalPolicy: "never",
    sandbox: { type: "dangerFullAccess" },
    serviceTier: "priority",
  };
  expect(conversation.receive({ id: 2, result })).toMatchObject([
    { kind: "ack" },
    { kind: "ready", mode: "full-auto", native: "never + danger-full-access" },
    { kind: "controls", values: { approval: "never", sandbox: "danger-full-access", fast: "on" } },
  ]);
});

test("uses on-request where a version has no policy on-failure, and reports it", () => {
  const conversation = new FakeAppServer({ mode: "auto-edit", controls: { approval: "on-failure" } });
  conversation.receive(hello);
  expect(conversation.lastSent.params).toMatchObject({ approvalPolicy: "on-failure" });
  const message = "Invalid request: unknown variant `on-failure`, expected one of `untrusted`, `on-request`";
  const outputs = conversation.receive({ id: 2, error: { code: -32600, message } });
  expect(outputs).toMatchObject([{ event: { type: "notice" } }, { kind: "send" }]);
  expect(conversation.lastSent).toMatchObject({ method: "thread/start", params: { approvalPolicy: "on-request" } });
  const again = conversation.receive({ id: conversation.lastSent.id, error: { code: -32600, message } });
  expect(again).toMatchObject([{ kind: "ack" }, { event: { type: "error" } }]);
});

test("reports a refused control instead of sending it with the next turn", () => {
  const conversation = FakeAppServer.open({ mode: "auto-edit" });
  conversation.command({ type: "set", controls: { approval: "on-failure" } });
  const message = "Invalid request: unknown variant `on-failure`";
  const outputs = conversation.receive({ id: conversation.lastSent.id, error: { code: -32600, message } });
  expect(outputs).toContainEqual({
    kind: "applied",
    field: "controls",
    value: "approval=on-failure",
    ok: false,
    message,
  });
});

test("stays in a sandbox without a way to ask if an approval policy would ask", () => {
  const sandboxOf = (mode: Mode, controls?: Record<string, string>) =>
    exec
      .launch({ cwd: "/w", mode, uuid: "u", dir: "/d", ...(controls ? { controls } : {}) })
      .args.find((arg) => /sandbox/.test(arg));
  expect(sandboxOf("full-auto")).toBe("--dangerously-bypass-approvals-and-sandbox");
  expect(sandboxOf("full-auto", { approval: "on-request" })).toBe('sandbox_mode="workspace-write"');
  expect(sandboxOf("full-auto", { approval: "untrusted" })).toBe('sandbox_mode="read-only"');
  expect(sandboxOf("auto-edit", { approval: "untrusted" })).toBe('sandbox_mode="read-only"');
  expect(sandboxOf("auto-edit")).toBe('sandbox_mode="workspace-write"');
  expect(sandboxOf("ask")).toBe('sandbox_mode="read-only"');
});

test("returns to config.toml only with a new thread, also together with a control", () => {
  const conversation = FakeAppServer.open({ mode: "full-auto" });
  expect(conversation.command({ type: "set", mode: "inherit", controls: { sandbox: "read-only" } })).toBeUndefined();
});
