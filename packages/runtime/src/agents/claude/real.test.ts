import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ContextPart } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { afterAll, describe, expect, it } from "vitest";
import type { Frame, Outbound, Output } from "../contract.ts";
import { streamJson } from "./channel.ts";
import { data, launchOptions, outputsOfKind, toFrame } from "./recordings.fake.ts";

/** The path of a real Claude Code. It needs no account and no network: without a key the turn fails. */
const bin = process.env.GANTRY_TEST_CLAUDE_BIN;
const home = mkdtempSync(join(tmpdir(), "gantry-claude-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const env = {
  PATH: process.env.PATH,
  HOME: home,
  CLAUDE_CONFIG_DIR: join(home, ".claude"),
  ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
};

describe.skipIf(!bin)("the real Claude Code", needs({ reason: "GANTRY_CLAUDE_BIN names no Claude Code." }), () => {
  it("completes the handshake, accepts a setting and a message, and ends the turn with a reason", {
    timeout: 120_000,
  }, async () => {
    const outputs = await converse((output) => {
      if (output.kind === "ready" && output.models) return [{ type: "set", mode: "plan" }];
      if (output.kind === "applied") return [{ type: "prompt", message: "msg_1", text: "hello", attachments: [] }];
      return output.kind === "finish" ? "close" : [];
    });
    expect(outputsOfKind(outputs, "applied")).toMatchObject([{ field: "mode", value: "plan", ok: true }]);
    expect(data(outputs, "mode.changed")).toMatchObject([{ to: "plan" }]);
    expect(outputsOfKind(outputs, "ready").at(-1)?.handle).toBe(launchOptions.uuid);
    expect(outputsOfKind(outputs, "begin")).toEqual([{ kind: "begin", messages: ["msg_1"] }]);
    expect(outputsOfKind(outputs, "taken")).toEqual([{ kind: "taken", message: "msg_1", inline: false }]);
    expect(outputsOfKind(outputs, "finish")).toMatchObject([{ outcome: "failed", error: { category: "auth" } }]);
    expect(data(outputs, "raw")).toEqual([]);
  });

  it("reports what fills its context when it is asked", { timeout: 120_000 }, async () => {
    const outputs = await converse((output) => {
      if (output.kind === "ready" && output.models) return [{ type: "context" }];
      const isAnswer = output.kind === "event" && ["context.usage", "notice"].includes(output.event.type);
      return isAnswer ? "close" : [];
    });
    const [usage] = data(outputs, "context.usage");
    expect(usage).toMatchObject({ used: expect.any(Number), size: expect.any(Number) });
    const parts = usage?.parts as ContextPart[];
    expect(parts.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["used", "free"]));
    expect(data(outputs, "raw")).toEqual([]);
  });
});

type Reaction = Parameters<typeof streamJson.encode>[1][] | "close";

/** Runs the binary as the daemon would, and applies `react` to each output, until the process ends. */
function converse(react: (output: Output) => Reaction): Promise<Output[]> {
  const child = spawn(bin ?? "", streamJson.launch({ ...launchOptions, mode: "ask" }).args, { env, cwd: home });
  let state = streamJson.initial({ ...launchOptions, mode: "ask" });
  const outputs: Output[] = [];
  const write = (frames: Outbound[]) => {
    for (const { msg } of frames) {
      child.stdin.write(`${JSON.stringify(msg)}\n`);
      take({ dir: "in", msg });
    }
  };
  const take = (frame: Frame) => {
    const [next, made] = streamJson.decode(state, frame);
    state = next;
    outputs.push(...made);
    for (const output of made) {
      const reaction = react(output);
      if (reaction === "close") child.stdin.end();
      else for (const command of reaction) write(streamJson.encode(state, command) ?? []);
    }
  };
  write(streamJson.open(state));
  createInterface({ input: child.stdout }).on("line", (line) => take(toFrame(line)));
  createInterface({ input: child.stderr }).on("line", (text) => take({ dir: "err", text }));
  return new Promise((resolve) => child.on("close", () => resolve(outputs)));
}
