import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mode } from "@gantry/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { type ExtensionHost, GATE, gateFile, MODE_COMMAND } from "./extension.ts";

const cwd = mkdtempSync(join(tmpdir(), "gate-"));
writeFileSync(join(cwd, "old.txt"), "old\n");
afterAll(() => rmSync(cwd, { recursive: true }));

type Handler = Parameters<ExtensionHost["on"]>[1];

/** A fake agent host that loads the gate from its file. */
async function agent(mode: Mode, answer?: object, hasUI = true, folders: string[] = []) {
  const handlers: Record<string, Handler> = {};
  const commands: Record<string, (rung: string) => Promise<void>> = {};
  const seen = { tools: ["read", "bash"], asked: [] as string[], notified: [] as string[], aborted: false };
  const file: { default(host: ExtensionHost): void } = await import(
    `data:text/javascript,${encodeURIComponent(gateFile(mode, folders))}`
  );
  file.default({
    on: (event, handler) => {
      handlers[event] = handler;
    },
    registerCommand: (name, { handler }) => {
      commands[name] = handler;
    },
    getActiveTools: () => seen.tools,
    setActiveTools: (names) => {
      seen.tools = names;
    },
  });
  const ui = {
    select: async (title: string) => {
      seen.asked.push(title);
      return answer && JSON.stringify(answer);
    },
    setStatus: (_: string, text: string) => {
      seen.notified.push(text);
    },
  };
  const abort = () => {
    seen.aborted = true;
  };
  const context = { cwd, hasUI, ui, abort };
  const call = (toolName: string, input: Record<string, unknown>) =>
    handlers.tool_call?.({ toolName, toolCallId: "c1", input }, context);
  handlers.session_start?.({ toolName: "", toolCallId: "", input: {} }, context);
  return { seen, call, set: (rung: Mode) => commands[MODE_COMMAND]?.(rung) };
}

const write = { path: "new.txt", content: "new\n" };

describe("asking", () => {
  it("describes the call and its file, and lets it pass once allowed", async () => {
    const { seen, call } = await agent("ask", { decision: "allow" });
    expect(await call("write", write)).toBeUndefined();
    expect(await call("write", { path: "old.txt", content: "x" })).toBeUndefined();
    expect(await call("bash", { command: "ls" })).toBeUndefined();
    expect(await call("read", { path: "old.txt" })).toBeUndefined();
    expect(seen.asked.map((title) => JSON.parse(title.slice(GATE.length)))).toEqual([
      { call: "c1", tool: "write", input: write, before: null },
      { call: "c1", tool: "write", input: { path: "old.txt", content: "x" }, before: "old\n" },
      { call: "c1", tool: "bash", input: { command: "ls" } },
    ]);
  });

  it("applies the user's edits to the call", async () => {
    const { call } = await agent("ask", { decision: "allow", edits: { path: "other.txt" } });
    const input: Record<string, unknown> = { ...write };
    expect(await call("write", input)).toEqual({ input: { path: "other.txt" } });
    expect(input).toEqual({ path: "other.txt" });
  });

  it("passes the denial reason to the model and stops only on request or without an answer", async () => {
    const denied = await agent("ask", { decision: "deny", message: "Not here." });
    expect(await denied.call("write", write)).toEqual({ block: true, reason: "Denied by the user: Not here." });
    expect(denied.seen.aborted).toBe(false);
    const dismissed = await agent("ask");
    expect(await dismissed.call("write", write)).toEqual({ block: true, reason: "Interrupted by user." });
    expect(dismissed.seen.aborted).toBe(true);
  });

  it("denies calls where no user can be asked", async () => {
    const { call } = await agent("ask", undefined, false);
    expect(await call("bash", { command: "ls" })).toMatchObject({ block: true });
  });
});

describe("rungs", () => {
  it("auto-edit allows writes inside the folder only", async () => {
    const { seen, call } = await agent("auto-edit", { decision: "deny" });
    expect(await call("write", write)).toBeUndefined();
    expect(seen.notified).toHaveLength(1);
    for (const path of ["../new.txt", "/etc/new", "~/new.txt", "@~/new.txt", "file:///etc/new", undefined]) {
      expect(await call("write", { ...write, path })).toMatchObject({ block: true });
    }
    expect(await call("bash", { command: "ls" })).toMatchObject({ block: true });
  });

  it("full-auto never asks", async () => {
    const { seen, call } = await agent("full-auto");
    expect(await call("bash", { command: "ls" })).toBeUndefined();
    expect(await call("write", { ...write, path: "/etc/new" })).toBeUndefined();
    expect(seen.asked).toEqual([]);
  });

  it("plan deactivates tools that change something until the mode is left", async () => {
    const { seen, call, set } = await agent("plan", { decision: "allow" });
    expect(seen.tools).toEqual(expect.arrayContaining(["read", "grep", "find", "ls"]));
    expect(seen.tools).not.toContain("bash");
    expect(await call("write", write)).toMatchObject({ block: true });
    await set("ask");
    expect(seen.tools).toEqual(["read", "bash"]);
    expect(await call("write", write)).toBeUndefined();
    expect(seen.asked).toHaveLength(1);
  });
});

it("lets edits in further folders pass in auto-edit, and asks for edits next to them", async () => {
  const { seen, call } = await agent("auto-edit", { decision: "allow" }, true, ["/srv/library"]);
  await call("write", { path: "/srv/library/a.txt", content: "x" });
  expect(seen.asked).toEqual([]);
  for (const path of ["/srv/library-2/a.txt", "/srv/library/../a.txt"]) await call("write", { path, content: "x" });
  expect(seen.asked).toHaveLength(2);
});
