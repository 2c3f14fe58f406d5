import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startScriptedModel } from "@gantry/testkit";
import { bareEnvironment, NODE, repository } from "../../child.ts";
import type { Context, Line } from "../../context.ts";
import { median } from "../../measure.ts";
import type { Row } from "../../report/table.ts";
import type { AgentFigures } from "./agent-probe.ts";

const DELTAS = 2_000;
const PIECE = 20;

/** Gantry's own agent: the cost of its start, its protocol and its parts. */
export const agent: Line = {
  name: "agent",
  async run(context) {
    const runs = context.pick({ full: 10, quick: 3 });
    context.log("agent: gantry …");
    const starts: number[] = [];
    const empties: number[] = [];
    for (let run = 0; run <= runs; run += 1) {
      const [ours, empty] = [await start(context), emptyStart()];
      // The first start fills caches.
      if (run > 0) starts.push(ours);
      if (run > 0) empties.push(empty);
    }
    const bytes = await wireBytes(context);
    const probe = join(repository, "bench/lines/starts/agent-probe.ts");
    const parts = JSON.parse(
      execFileSync(NODE[0] ?? "", [...NODE.slice(1), probe], { encoding: "utf8" }),
    ) as AgentFigures;
    return {
      name: "agent",
      title: "Gantry's own agent",
      about: `\`gantry agent --mode rpc\` from the start of the process to its answer to \`get_state\`, median of ${runs} starts; the floor is a Node process that does nothing. Then its output for one answer of ${(DELTAS * PIECE) / 1000} kB in ${DELTAS} pieces; the floor is the answer itself. The rest is measured in a fresh process: the registry of models from an empty process to the model of a new session (floor: its models written and parsed as JSON), a name among ${parts.models} models (floor: a linear scan), a session of 10,000 entries until it is open, and until its whole conversation is loaded (floor: each line parsed), 100 secrets in a body of 1 MiB (floor: one \`replaceAll\` per secret).`,
      rows: [
        row("start to the first `get_state`", median(starts), 300, "empty Node process", median(empties)),
        {
          what: "an answer on the wire",
          unit: "kB",
          gantry: bytes / 1000,
          budget: 1000,
          floor: { what: "the answer", value: (DELTAS * PIECE) / 1000 },
        },
        row("registry, cold", parts.registryMs, 50, "JSON", parts.catalogueMs),
        row("a model's name, warm", parts.resolveMs, 1, "one by one", parts.scanMs),
        row("a session of 10,000 entries opens", parts.openMs, 100, "JSON.parse", parts.openParseMs),
        row(
          "…and its whole conversation is read",
          parts.openMs + parts.branchMs,
          undefined,
          "JSON.parse",
          parts.openParseMs,
        ),
        row("100 secrets over 1 MiB", parts.sealMs, 5, "replaceAll", parts.replaceMs),
      ],
    };
  },
};

function row(what: string, gantry: number, budget: number | undefined, floor: string, value: number): Row {
  return { what, unit: "ms", gantry, budget, floor: { what: floor, value } };
}

function emptyStart(): number {
  const from = performance.now();
  execFileSync(process.execPath, ["-e", ""]);
  return performance.now() - from;
}

/** Starts an agent process with a scripted model, as the daemon does. */
function launch(context: Context, modelUrl: string) {
  const home = context.scratch("agent");
  const agentDir = join(home, "agent");
  mkdirSync(agentDir);
  const models = [{ id: "scripted-model", contextWindow: 200_000, maxTokens: 8192 }];
  const scripted = { baseUrl: `${modelUrl}/v1`, api: "openai-completions", auth: "none", models };
  writeFileSync(join(agentDir, "models.yml"), JSON.stringify({ providers: { scripted } }));
  const env = { ...bareEnvironment(home, "agent"), GANTRY_HOME: home, GANTRY_AGENT_DIR: agentDir };
  const [program = "", ...flags] = NODE;
  const args = [
    ...flags,
    "--min-semi-space-size=16",
    join(repository, "dist/gantry/main.js"),
    "agent",
    "--mode",
    "rpc",
  ];
  const child = spawn(program, [...args, "--model", "scripted/scripted-model"], { cwd: home, env, stdio: "pipe" });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const answer = (sign: string) =>
    new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on("line", (line) => line.includes(sign) && resolve());
      void ended.then(() => reject(new Error(`the agent ended before it sent ${sign}`)));
    });
  const end = () => {
    child.stdin.end();
    return ended;
  };
  return { child, answer, end };
}

async function start(context: Context): Promise<number> {
  const from = performance.now();
  const { child, answer, end } = launch(context, "http://127.0.0.1:9");
  child.stdin.write('{"id":"1","type":"get_state"}\n');
  await answer('"command":"get_state"');
  const ms = performance.now() - from;
  await end();
  return ms;
}

async function wireBytes(context: Context): Promise<number> {
  const model = await startScriptedModel({ defaults: { pace: 0 } });
  try {
    const { child, answer, end } = launch(context, model.url);
    let bytes = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    child.stdin.write(`${JSON.stringify({ id: "1", type: "prompt", message: `[[deltas:${DELTAS}:${PIECE}]]` })}\n`);
    await answer("agent_settled");
    await end();
    return bytes;
  } finally {
    await model.close();
  }
}
