#!/usr/bin/env node
// Runs the scripted model until it is stopped: main.ts [--port N] [--log file] [--scenario name] [--pace ms] [--slow-pace ms]
import { parseArgs } from "node:util";
import { startScriptedModel } from "./start.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    log: { type: "string" },
    scenario: { type: "string" },
    pace: { type: "string" },
    "slow-pace": { type: "string" },
  },
});

const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const model = await startScriptedModel({
  port: Number(values.port),
  log: values.log,
  defaults: { scenario: values.scenario, pace: number(values.pace), slowPace: number(values["slow-pace"]) },
});
process.stdout.write(`${JSON.stringify({ port: model.port, pid: process.pid })}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    const leaked = await model.close().catch((error: Error) => error.message);
    if (leaked) process.stderr.write(`${leaked}\n`);
    process.exit(leaked ? 1 : 0);
  });
}
