import type { AgentRow, SessionView } from "@gantry/protocol";
import { expect, test } from "vitest";
import { FakeBrowser } from "../store/testing/fake-browser.ts";

new FakeBrowser().install();

test("offers every mode and model of the agent that is not in use", async () => {
  const { availableChanges } = await import("./session-commands.ts");
  const session = { mode: "ask", model: "small" } as SessionView;
  const models = { source: "live", items: ["small", "large"].map((id) => ({ id, name: id.toUpperCase() })) };
  const row = { modes: ["ask", "full-auto"], models } as unknown as AgentRow;
  expect(availableChanges(session, row)).toEqual([
    { name: "Change mode to full-auto", change: { mode: "full-auto" } },
    { name: "Change model to LARGE", change: { model: "large" } },
  ]);
});

test("offers all actions of the session's menu, and those that fit its state", async () => {
  const { sessionCommands } = await import("./session-commands.ts");
  const row = { modes: ["ask"], models: { source: "live", items: [] }, fork: true } as unknown as AgentRow;
  const session = { id: "ses_1", cwd: "/work", mode: "ask", archived: false } as SessionView;
  const names = (more: object) => sessionCommands({ ...session, ...more }, row).map(({ name }) => name);
  const idle = names({ lastTurn: { id: "trn_1", outcome: "completed", endedAt: "" } });
  const expected = ["Hand off to another agent…", "Fork this session", "Revert the last turn…", "Export this session…"];
  expect(idle).toEqual(expect.arrayContaining([...expected, "Archive this session", "Delete this session…"]));
  const running = names({ turn: { id: "trn_2" } });
  expect(running[0]).toBe("Stop the turn");
  expect(running).not.toContain("Archive this session");
});
