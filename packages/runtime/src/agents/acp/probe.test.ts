import { afterAll, describe, expect, test } from "vitest";
import { auggie } from "../auggie/descriptor.ts";
import type { ProbeTools } from "../contract.ts";
import { converseResult, TestMachine } from "../finding/testing/machine.ts";
import { gemini } from "../gemini/descriptor.ts";
import { goose } from "../goose/descriptor.ts";
import { opencode } from "../opencode/descriptor.ts";
import { makeProbeTools } from "../probing/probe-tools.ts";
import { agentById } from "../registry.ts";

/** An agent that answers each request from a table. */
function tools(answers: Record<string, object>, version = "1.2.3\n"): ProbeTools {
  return {
    bin: "/opt/agent",
    env: {},
    run: async () => ({ code: version ? 0 : 1, stdout: version, stderr: "", timedOut: false }),
    async converse(_, frames, done, options) {
      const lines: unknown[] = [];
      const queue = [...frames];
      for (let frame = queue.shift(); frame && !done(lines); frame = queue.shift()) {
        const { id, method } = frame as { id: number; method: string };
        const answer = answers[method];
        if (!answer) continue;
        const line = { jsonrpc: "2.0", id, ...answer };
        lines.push(line);
        queue.push(...(options?.reply?.(line) ?? []));
      }
      return converseResult(lines);
    },
  };
}

const initialize = { result: { protocolVersion: 1 } };

test("reads models and login state from an opened conversation", async () => {
  const models = { currentModelId: "a", availableModels: [{ modelId: "a", name: "A" }] };
  expect(await gemini.probe(tools({ initialize, "session/new": { result: { sessionId: "s", models } } }))).toEqual({
    version: "1.2.3",
    auth: { state: "ok", how: "it opened a conversation" },
    models: [{ id: "a", name: "A", default: true, efforts: [] }],
    problems: [],
    ok: true,
  });
});

test("reports a missing login with a fix", async () => {
  const refused = { error: { code: -32000, message: "Authentication required" } };
  expect(await auggie.probe(tools({ initialize, "session/new": refused }))).toMatchObject({
    auth: { state: "missing" },
    problems: [{ code: "not_logged_in", fix: expect.stringContaining("auggie login") }],
  });
});

test("sends only the handshake to an agent that stores every conversation", async () => {
  const asked = tools({ initialize, "session/new": { error: { code: 1, message: "must not be asked" } } });
  expect(await opencode.probe(asked)).toMatchObject({ auth: { state: "unknown" }, problems: [], ok: true });
});

test("reads the version from the handshake, so that one process suffices", async () => {
  const greeting = { result: { protocolVersion: 1, agentInfo: { name: "x", version: "9.8.7 (commit 12ab)" } } };
  const asked = tools({ initialize: greeting });
  asked.run = () => Promise.reject(new Error("must not be run"));
  expect(await goose.probe(asked)).toMatchObject({ version: "9.8.7", problems: [], ok: true });
});

test("distinguishes a silent program from one that does not run", async () => {
  const slow = tools({});
  slow.run = async () => ({ code: 0, stdout: "1.2.3 --acp", stderr: "", timedOut: false });
  expect(await gemini.probe(slow)).toMatchObject({ ok: true, problems: [{ code: "no_acp" }] });
  expect(await gemini.probe(tools({}, ""))).toMatchObject({ ok: false, problems: [{ code: "broken" }] });
});

test("shows the error that the agent answered to initialize", async () => {
  const broken = tools({ initialize: { error: { code: -32603, message: "The configuration is broken" } } });
  broken.run = async () => ({ code: 0, stdout: "1.2.3 --acp", stderr: "", timedOut: false });
  const message = expect.stringContaining("The configuration is broken");
  expect(await gemini.probe(broken)).toMatchObject({ problems: [{ code: "no_acp", message }] });
});

/** An older version of a program, without ACP. */
function programWithout(argument: string, version = "0.1.2"): string {
  return [
    'case "$*" in',
    `  --version) echo ${version};;`,
    "  *--help*) echo 'usage: agent [--version] [--print]';;",
    `  *) echo "error: unknown option '${argument}'" >&2; exit 1;;`,
    "esac",
  ].join("\n");
}

describe("a version without ACP", () => {
  const machine = new TestMachine();
  afterAll(() => machine.remove());
  const programs = {
    gemini: ["--acp", "stream-json"],
    qwen: ["--acp", "stream-json"],
    opencode: ["acp", "run"],
    copilot: ["--acp", "json"],
    cursor: ["acp", "print"],
  } as const;

  test.each(Object.entries(programs))("%s falls back", async (id, [argument, channel]) => {
    const agent = agentById(id);
    const probed = makeProbeTools([machine.program(`bin/${id}`, programWithout(argument))], machine.env());
    const probe = await agent?.probe(probed);
    await probed.close();
    expect(probe).toMatchObject({ ok: true, version: "0.1.2", channel, auth: { state: "unknown" } });
    expect(probe?.problems).toMatchObject([
      { code: "main_channel_missing", fix: expect.stringContaining("Update it") },
    ]);
    expect(agent?.channels.map(({ name }) => name)).toContain(channel);
    expect(agent?.channelOf?.("0.1.2")).toBeUndefined();
  });

  test("of Kimi is not used, because it would pass prompts on the command line", async () => {
    const probed = makeProbeTools([machine.program("bin/kimi", programWithout("acp"))], machine.env());
    expect(await agentById("kimi")?.probe(probed)).toMatchObject({
      ok: false,
      problems: [{ code: "main_channel_missing" }],
    });
    await probed.close();
  });
});

describe("any ACP agent", () => {
  test("gets only the handshake", async () => {
    const asked = tools({ initialize: { result: { protocolVersion: 1, agentInfo: { version: "3.2.1" } } } });
    asked.run = () => Promise.reject(new Error("must not be run"));
    expect(await agentById("acp")?.probe(asked)).toMatchObject({ version: "3.2.1", ok: true, problems: [] });
  });

  test("that exits without output is broken", async () => {
    const mute = { ...tools({}), converse: async () => converseResult([], { code: 3, stderr: "no config\n" }) };
    expect(await agentById("acp")?.probe(mute)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("ended with code 3: no config") }],
    });
  });
});
