import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestMachine } from "../finding/testing/machine.ts";
import { type Fallback, fallbackProbe, knownSince, lacksChannel } from "./fallback.ts";
import { makeProbeTools } from "./probe-tools.ts";

const fallback: Fallback = { argument: "--acp", channel: "print", means: "its print stream" };
let machine: TestMachine;

beforeEach(() => {
  machine = new TestMachine();
});
afterEach(() => machine.remove());

/** Runs the script as a program, attempts the handshake and returns whether the channel is missing. */
async function lacks(script: string, asked: Fallback = fallback, timeoutMs = 20_000): Promise<boolean> {
  const tools = makeProbeTools([machine.program("bin/agent", script)], machine.env());
  try {
    const ran = await tools.converse([asked.argument], [{ hello: 1 }], () => false, { timeoutMs });
    return await lacksChannel(tools, asked, ran);
  } finally {
    await tools.close();
  }
}

describe("lacksChannel is true for a program", () => {
  const refusals: [program: string, script: string][] = [
    ["yargs", 'echo "Unknown argument: acp" >&2; exit 1'],
    ["commander", "echo \"error: unknown option '--acp'\" >&2; exit 1"],
    ["clap", "echo \"error: unexpected argument '--acp' found\" >&2; exit 2"],
    ["argparse", "echo \"error: argument --mode: invalid choice: 'acp' (choose from 'json')\" >&2; exit 2"],
    ["cobra", "echo 'Error: unknown flag: --acp'; exit 1"],
  ];
  it.each(refusals)("that rejects the argument like %s, even if its help lists it", async (_, refusal) => {
    expect(await lacks(`case "$1" in --help) echo "  --acp  speak ACP";; *) ${refusal};; esac`)).toBe(true);
  });

  it("whose help does not list the argument", async () => {
    expect(await lacks('case "$1" in --help) echo "  --acp-port n";; *) exit 1;; esac')).toBe(true);
  });

  it("that ignores the argument and hangs", async () => {
    const script = 'case "$1" in --help) echo "agent [prompt]";; *) sleep 600;; esac';
    expect(await lacks(script, fallback, 300)).toBe(true);
  });

  it("whose subcommand help does not list the argument", async () => {
    const exec: Fallback = { ...fallback, argument: "acp", help: ["exec", "--help"] };
    const script = (format: string) => `[ "$1 $2" = "exec --help" ] && echo "--output-format text|${format}"; exit 1`;
    expect(await lacks(script("json"), exec)).toBe(true);
    expect(await lacks(script("acp"), exec)).toBe(false);
  });
});

describe("lacksChannel is false for a program", () => {
  it("that fails for another reason", async () => {
    const script = 'case "$1" in --help) echo "  --acp  speak";; *) echo "Invalid settings.json" >&2; exit 1;; esac';
    expect(await lacks(script)).toBe(false);
  });

  it("that is slow", async () => {
    expect(await lacks('case "$1" in --help) echo "  --acp";; *) sleep 600;; esac', fallback, 300)).toBe(false);
  });

  it("that prints no help or cannot be started", async () => {
    expect(await lacks("exit 1")).toBe(false);
    const absent = makeProbeTools(["/nowhere/agent"], {});
    expect(await lacksChannel(absent, fallback, await absent.run([]))).toBe(false);
    await absent.close();
  });
});

describe("fallbackProbe", () => {
  const missing = { main: "ACP", install: "npm install -g agent" };

  it("names the fallback channel and how to install the main one", () => {
    expect(fallbackProbe(missing, fallback)).toEqual({
      ok: true,
      channel: "print",
      auth: { state: "unknown", how: "reported only in use without the main channel" },
      problems: [
        {
          code: "main_channel_missing",
          message: "This version has no ACP: sessions run over its print stream.",
          fix: "Update it: `npm install -g agent`.",
        },
      ],
    });
  });

  it("gives the reason when no fallback channel exists", () => {
    const none = fallbackProbe(missing, { argument: "acp", none: "its print mode takes prompts on argv" });
    expect(none).toMatchObject({
      ok: false,
      problems: [{ message: "This version has no ACP, and its print mode takes prompts on argv." }],
    });
    expect(none.channel).toBeUndefined();
  });
});

it.each([
  ["1.18.33", "acp"],
  ["1.18.34", "acp"],
  ["1.19", "acp"],
  ["2.0.0-beta.1", "acp"],
  ["v10.0.0", "acp"],
  ["1.18.32", undefined],
  ["1.9.99", undefined],
  ["0.99.99", undefined],
  ["dev", undefined],
])("of version %s is known: %s", (version, channel) => {
  expect(knownSince("1.18.33", "acp")(version)).toBe(channel);
});
