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

test("treats all raw lines as output of the agent, JSON or not", () => {
  const { frames, meta } = readCapture(fixture("raw"));
  expect(frames.map((frame) => frame.dir)).toEqual(["out", "out", "out"]);
  expect(frames[1]).toEqual({ dir: "out", text: "not json at all" });
  expect(meta).toMatchObject({ scenario: "raw", exitCode: 3 });
});

test("keeps direction and time of directed lines", () => {
  const { frames } = readCapture(fixture("both"));
  expect(frames.map((frame) => frame.dir)).toEqual(["in", "out", "in", "out", "out", "in", "out"]);
  expect(frames[1]).toMatchObject({ t: 40, msg: { id: 1 } });
});

test("accepts other recorders' direction names and extra fields", () => {
  const { frames, meta } = readCapture(fixture("acp"));
  expect(frames.map((frame) => frame.dir)).toEqual(["in", "out", "out"]);
  expect(frames[2]).toMatchObject({ text: "plain text" });
  expect(meta).toMatchObject({ cli: "some-agent", version: "1.2.3", exitCode: 0 });
});

test("reads a server's events and calls", () => {
  expect(readCapture(fixture("server")).frames).toEqual([
    { dir: "in", msg: { method: "POST", path: "/session", status: 200 } },
    { dir: "out", msg: { type: "server.connected", properties: {} }, t: 5 },
  ]);
});

test("waits for the host and answers with the host's ids", async () => {
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

test("plays a recording without host lines to the end and exits as recorded", async () => {
  const agent = replay("raw");
  expect((await agent.exit).code).toBe(3);
  expect(agent.frames).toHaveLength(2);
  expect(agent.noise).toEqual(["not json at all"]);
});
