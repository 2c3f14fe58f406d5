import { appendFileSync, watch } from "node:fs";
import { expect, it, vi } from "vitest";
import type { Line } from "../../framing/lines.ts";
import type { Exit } from "../../process/exit.ts";
import type { StopTarget } from "../../process/stop.ts";
import { exitOfDir, playground, waitUntil } from "../../process/testing/playground.ts";
import { AgentConnection } from "./connection.ts";

const { agent } = playground();

vi.mock("node:fs", async (load) => {
  const actual = await load<typeof import("node:fs")>();
  return { ...actual, watch: vi.fn(actual.watch) };
});

function connect(target: StopTarget & { dir: string }) {
  const received: (string | Exit)[] = [];
  const path = (name: string) => `${target.dir}/${name}`;
  const receive = (lines: Line[]) => received.push(...lines.map((line) => (line.kind === "line" ? line.text : "")));
  const connection = new AgentConnection({
    target,
    paths: {
      dir: target.dir,
      in: path("in"),
      out: path("out"),
      err: path("err"),
      exit: path("exit"),
      given: path("given"),
      compressed: path("out.gz"),
    },
    offset: 0,
    errOffset: 0,
    lineLimit: 1000,
    unwritten: [],
    owner: {
      onStdout: receive,
      onStderr: receive,
      onCut: () => {},
      onExit: (exit) => received.push(exit),
      onStdinClosed: () => {},
      setState: () => {},
      ping: () => false,
      onError: () => {},
    },
  });
  connection.start();
  return { connection, received };
}

it("delivers the exit of a process that ended before the connection, before a deadline can count", async () => {
  const target = await agent("echo out; echo reason >&2; exit 3");
  await exitOfDir(target.dir);
  const { connection, received } = connect(target);
  await connection.drainOutput();
  expect(received).toEqual(["out", "reason", { code: 3, signal: null }]);
});

it("notices output, errors and the exit with one watcher for the files of a process", async () => {
  const target = await agent("read line; exit 4");
  vi.mocked(watch).mockClear();
  const { received } = connect(target);
  appendFileSync(`${target.dir}/out`, "out\n");
  await waitUntil(() => received.length === 1, "a line of stdout");
  appendFileSync(`${target.dir}/err`, "reason\n");
  await waitUntil(() => received.length === 2, "a line of stderr");
  appendFileSync(`${target.dir}/in`, "end\n");
  await waitUntil(() => received.length === 3, "the exit");
  expect(received).toEqual(["out", "reason", { code: 4, signal: null }]);
  expect(vi.mocked(watch).mock.calls.map(([path]) => path)).toEqual([target.dir]);
});
