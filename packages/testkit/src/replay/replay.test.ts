import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { spawnLines } from "../spawned.ts";
import { readCapture } from "./capture.ts";

vi.setConfig({ testTimeout: 60_000 });

const here = dirname(fileURLToPath(import.meta.url));
const fixture = (name: string) => join(here, "fixtures", `${name}.jsonl`);
const replay = (name: string, ...args: string[]) =>
  spawnLines(process.execPath, [join(here, "main.ts"), fixture(name), ...args], { cwd: here, env: process.env });

test("raw lines are all the agent's, JSON or not", () => {
  const { frames, meta } = readCapture(fixture("raw"));
  expect(frames.map((frame) => frame.dir)).toEqual(["out", "out", "out"]);
  expect(frames[1]).toEqual({ dir: "out", text: "not json at all" });
  expect(meta).toMatchObject({ scenario: "raw", exitCode: 3 });
});

test("directed lines keep direction and time", () => {
  const { frames } = readCapture(fixture("both"));
  expect(frames.map((frame) => frame.dir)).toEqual(["in", "out", "in", "out", "out", "in", "out"]);
  expect(frames[1]).toMatchObject({ t: 40, msg: { id: 1 } });
});

test("other recorders' names of directions, and what they note beside", () => {
  const { frames, meta } = readCapture(fixture("acp"));
  expect(frames.map((frame) => frame.dir)).toEqual(["in", "out", "out"]);
  expect(frames[2]).toMatchObject({ text: "plain words" });
  expect(meta).toMatchObject({ cli: "some-agent", version: "1.2.3", exitCode: 0 });
});

test("a server's events and calls", () => {
  expect(readCapture(fixture("server")).frames).toEqual([
    { dir: "in", msg: { method: "POST", path: "/session", status: 200 } },
    { dir: "out", msg: { type: "server.connected", properties: {} }, t: 5 },
  ]);
});

test("a player waits for the host and answers with the host's own ids", async () => {
  const agent = replay("both", "--speed", "1");
  expect(agent.frames).toEqual([]);
  agent.send({ id: 77, method: "initialize", params: {} });
  expect(await agent.waitFor((frame) => frame.id === 77)).toMatchObject({ result: { userAgent: "recorded" } });
  agent.send({ type: "control_request", request_id: "mine", request: { subtype: "interrupt" } });
  await agent.waitFor((frame) => JSON.stringify(frame).includes('"request_id":"mine"'));
  expect(await agent.waitFor((frame) => frame.method === "item/fileChange/requestApproval")).toMatchObject({ id: 0 });
  expect(agent.frames).toHaveLength(3);
  agent.send({ id: 0, result: { decision: "accept" } });
  await agent.waitFor((frame) => frame.method === "turn/completed");
  agent.hangUp();
  expect((await agent.exit).code).toBe(0);
});

test("a recording without a host's side plays through and exits as recorded", async () => {
  const agent = replay("raw");
  expect((await agent.exit).code).toBe(3);
  expect(agent.frames).toHaveLength(2);
  expect(agent.noise).toEqual(["not json at all"]);
});
