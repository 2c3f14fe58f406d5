import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { World } from "./testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.make();
});
afterEach(async () => expect(await world.stopAndListInvalid()).toEqual([]));
afterAll(() => world.close());

async function startUnattended(actions: readonly string[]) {
  const client = await world.start([], { gate: () => ({ decision: "approve" }) });
  const budget = { max_tokens: 1e6, max_tool_calls: 9, max_wall_time_ms: 6e5, max_cost_usd: 5 };
  const declaration = { actor: "a", budget, scopes: ["prompt", "bash"], action_allowlist: actions };
  await client.send("negotiate_unattended", { declaration }).response;
  return client;
}

describe("an unattended run decides alike about a command of the client and of the model", () => {
  const file = () => join(world.work, "touched.txt");

  it.each([
    [[], false],
    [["bash.readonly"], false],
    [["file.write"], false],
    [["bash.mutating"], false],
    [["bash.readonly", "file.write"], false],
    [["bash.mutating", "file.write"], true],
  ])("with the allow list %j", async (actions, allowed) => {
    const client = await startUnattended(actions);
    const { success, error } = await client.send("bash", { command: "touch touched.txt" }).response;
    expect(success).toBe(allowed);
    expect(existsSync(file())).toBe(allowed);
    if (!allowed) expect(error).toMatchObject({ code: "action_denied" });
    rmSync(file(), { force: true });
    const events = await client.run("[[touch]] run it");
    expect(existsSync(file())).toBe(allowed);
    if (!allowed) expect(JSON.stringify(events)).toContain("not on its list of actions");
    rmSync(file(), { force: true });
  });
});
