import { makeTheme } from "@gantry/terminal";
import { describe, expect, it } from "vitest";
import type { Action, PermissionMode } from "../../../permissions/action.ts";
import { decide } from "../../../permissions/decide.ts";
import type { StartedAgent } from "../../../start/start-agent.ts";
import { TranscriptView } from "./transcript.ts";
import { welcome } from "./welcome.ts";

const place = { cwd: "/work/app", folders: [] };
const reads: Action = { kind: "bash.readonly", command: "echo one" };
const changes: Action = { kind: "bash.mutating", command: "make" };
const write: Action = { kind: "file.write", path: "/work/app/a" };
const outside: Action = { kind: "file.write", path: "/work/other/a" };
const fetch: Action = { kind: "net.fetch", url: "http://a/" };
const push: Action = { kind: "git.force_push", command: "git push -f" };
const key: Action = { kind: "file.read", path: "/home/u/.ssh/id_rsa" };

/** The text of each mode, and the decisions that it promises. */
const PROMISES: [PermissionMode, string, Action, string][] = [
  ["plan", "only reads, also with commands", reads, "allow"],
  ["plan", "only reads", write, "deny"],
  ["plan", "only reads", changes, "deny"],
  ["ask", "reads without asking, also with commands", reads, "allow"],
  ["ask", "asks before it changes anything", write, "ask"],
  ["ask", "asks before it changes anything", changes, "ask"],
  ["ask", "uses the network", fetch, "ask"],
  ["auto-edit", "writes in this folder, without asking", write, "allow"],
  ["auto-edit", "asks before commands that change anything", changes, "ask"],
  ["auto-edit", "before it uses the network", fetch, "ask"],
  ["full-auto", "works without asking", changes, "allow"],
  ["full-auto", "works without asking", fetch, "allow"],
  ["full-auto", "asks before it changes anything outside this folder", outside, "ask"],
  ["full-auto", "forces a push", push, "ask"],
  ["full-auto", "reads credentials", key, "ask"],
];

describe("the welcome text", () => {
  it.each(PROMISES)("of %s keeps its promise: %s", (mode, promise, action, verdict) => {
    const session = { cwd: "/work/app", state: () => ({ model: {}, mode }) };
    const text = welcome(
      { session } as unknown as StartedAgent,
      new TranscriptView(makeTheme({ depth: 0, scheme: "dark" })),
    ).join(" ");
    expect(text).toContain(promise);
    expect(decide(mode, [action], place, [], { person: true })).toMatchObject({ verdict });
  });
});
