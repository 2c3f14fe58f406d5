import { expect, it } from "vitest";
import type { Exit } from "../../process/exit.ts";
import { exitOfDir, playground } from "../../process/testing/playground.ts";
import { AgentConnection } from "./connection.ts";

const { agent } = playground();

it("delivers the exit of a process that ended before the connection, before a deadline can count", async () => {
  const target = await agent("echo out; echo reason >&2; exit 3");
  const { dir } = target;
  await exitOfDir(dir);
  const received: (string | Exit)[] = [];
  const path = (name: string) => `${dir}/${name}`;
  const connection = new AgentConnection({
    target,
    paths: {
      dir,
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
      onStdout: (lines) => received.push(...lines.map((line) => (line.kind === "line" ? line.text : ""))),
      onStderr: (lines) => received.push(...lines.map((line) => (line.kind === "line" ? line.text : ""))),
      onCut: () => {},
      onExit: (exit) => received.push(exit),
      onStdinClosed: () => {},
      setState: () => {},
      ping: () => false,
      onError: () => {},
    },
  });
  connection.start();
  await connection.drainOutput();
  expect(received).toEqual(["out", "reason", { code: 3, signal: null }]);
});
