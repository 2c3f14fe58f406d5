import type { Session } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { describe, expect, test } from "vitest";
import { openBench } from "../harness/open-bench.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 300_000;
const WORKER_ANSWER = "The answer is 42.";

/** In mode `ask` a person approves the call. Codex blocks the network for commands then, but not for MCP servers. */
describe.each(["gantry", "claude", "codex", "opencode"])("%s with the coordinator in its kit", (agent) => {
  test.skipIf(agent !== "gantry" && !areInstalled(agent))(
    "starts a session with a tool of the server gantry, which a person approves, and reads its answer",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const bench = await openBench(newestTarget(agent), { config: { mcp: { offer: "all" }, spawns: { tell: true } } }); // prose-ignore: config key
      const conversation = await bench.session({ mode: "ask" });
      await conversation.send("[[coordinate]] go");
      await conversation.allowAll(1);
      expect(conversation.of("input.requested").length).toBeGreaterThan(0);
      const tool = conversation.of("tool.started").find(({ data }) => data.mcp?.tool === "start_session");
      expect(tool?.data.mcp).toEqual({ server: "gantry", tool: "start_session" });
      const end = conversation.of("tool.ended").find(({ data }) => data.item === tool?.data.item);
      expect(end?.data.status).toBe("ok");
      expect(JSON.stringify(end?.data.output)).toContain(WORKER_ANSWER);
      const { sessions } = await bench.client.sessions.list({});
      const worker = sessions.find(({ parent }: Session) => parent === conversation.id);
      expect(worker).toMatchObject({ agent: "scripted", mode: "plan", state: "idle" });
      // It was awaited, so the agent is not woken for it.
      expect(conversation.of("message.user")).toHaveLength(1);
      const requests = bench.modelRequests().join("\n");
      expect(requests).toContain("MCP server `gantry`");
      expect(requests).not.toMatch(/gss_[A-Za-z0-9_-]{43}/);
      expect(JSON.stringify(conversation.events)).not.toMatch(/gss_[A-Za-z0-9_-]{43}/);
    },
  );
});

test("offers the coordinator only if the user allows it, and to leads alone if that is the choice", {
  timeout: TIMEOUT_MS,
}, async () => {
  const bench = await openBench(newestTarget("gantry"));
  const conversation = await bench.session();
  const isOffered = async () => {
    await bench.client.sessions.close(conversation.id);
    const before = bench.modelRequests().length;
    await conversation.runTurn("[[text]] hello");
    return bench.modelRequests().slice(before).join("\n").includes("start_session");
  };
  expect(await isOffered()).toBe(false);
  await bench.client.settings.change({ "mcp.offer": "leads" });
  expect(await isOffered()).toBe(false);
  await bench.client.sessions.patch(conversation.id, { lead: true });
  expect(await isOffered()).toBe(true);
  await bench.client.settings.change({ "mcp.offer": null });
  expect(await isOffered()).toBe(false);
});
