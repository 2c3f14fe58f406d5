import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./target.ts";

const NO_APPROVAL =
  'Cursor\'s SDK reports: "Local SDK runs cannot request interactive approval". A session in ask mode runs in plan mode and states that.';

const cursorSdk: Omit<Target, "version" | "name"> = {
  agent: "cursor",
  vendor: "cursor-sdk",
  channel: "sdk",
  fakeService: true,
  keyVariables: ["CURSOR_API_KEY"],
  otherModel: "scripted-other",
  questionMode: "ask",
  outputLimit: 40_000,
  awaitsSubagents: true,
  lists: true,
  writeMode: "full-auto",
  modesAtStart: true,
  givesUp: true,
  neverAsks: true,
  projectCode: "ignored",
  // The sessions of the scenario run in plan mode, in which the worker starts no programs.
  hasOwnTrust: true,
  forget: (home) => rmSync(join(home, ".cursor", "projects"), { recursive: true, force: true }),
  configure: { permissive: () => undefined },
  cannot: {
    approve: NO_APPROVAL,
    deny: NO_APPROVAL,
    "allow-session": NO_APPROVAL,
    "interrupt-asking": NO_APPROVAL,
    "restart-asking": NO_APPROVAL,
    question: "The scripted service has no questions; the SDK answers those of the real one itself.",
    steer:
      "Gantry does not use the SDK's steering, whose messages the service may return unread; the message waits until the turn ends.",
    "plan-mode": NO_APPROVAL,
    "plan-approval": "Cursor's SDK requests no approval of a plan; the plan is the answer of the turn.",
    "plan-stays-approved": "Cursor's SDK requests no approval of a plan; the plan is the answer of the turn.",
    retry: "Cursor's SDK retries a failed request without reporting it.",
    fork: "Cursor's SDK cannot copy a conversation.",
    cost: "Cursor's SDK reports tokens with a run; the price follows later in Cursor's billing.",
    "context-usage": "Cursor's SDK does not report how full its context is.",
  },
  leavesOut: [
    // It has no approval whose input could be edited, and no mode between plan and full-auto.
    ...["edit-input", "set-mode"],
    // The scripted service does not imitate them.
    ...["compaction", "commands", "subagent"],
    // The file reaches the service as the answer to a call, not in a request.
    "extra-folder",
  ],
};

export const cursorSdkTargets: readonly Target[] = [{ ...cursorSdk, version: "1.0.32", name: "Cursor SDK 1.0.32" }];
