import type { AgentRow, SessionView } from "@gantry/protocol";
import { expect, test, vi } from "vitest";

vi.mock("../store/connection/client.ts", () => ({ client: {} }));

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
