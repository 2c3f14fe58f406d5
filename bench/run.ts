// npm run bench [-- --quick] [-- --only <line>] [-- --update]: measures Gantry and its peers on this machine.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { warmAgents } from "./agents/bare-pipe.ts";
import { marks, repository } from "./child.ts";
import { endMarked, type Line, makeContext, withServer } from "./context.ts";
import { gantry } from "./gantry.ts";
import { acp } from "./lines/events/acp.ts";
import { burst } from "./lines/events/burst.ts";
import { quietSession } from "./lines/events/quiet-session.ts";
import { reconnect } from "./lines/events/reconnect.ts";
import { recovery } from "./lines/events/recovery.ts";
import { replay } from "./lines/events/replay.ts";
import { slowReader } from "./lines/events/slow-reader.ts";
import { page } from "./lines/page/page.ts";
import { checkpoint } from "./lines/sizes/checkpoint.ts";
import { longSession } from "./lines/sizes/long-session.ts";
import { manySessions } from "./lines/sizes/many-sessions.ts";
import { memory } from "./lines/sizes/memory.ts";
import { subscribers } from "./lines/sizes/subscribers.ts";
import { thousandSessions } from "./lines/sizes/thousand-sessions.ts";
import { wireBytes } from "./lines/sizes/wire-bytes.ts";
import { cli } from "./lines/starts/cli.ts";
import { agent } from "./lines/starts/own-agent.ts";
import { ready } from "./lines/starts/ready.ts";
import { openCode } from "./peers/opencode.ts";
import { sandboxAgent } from "./peers/sandbox-agent.ts";
import { compare, parseHistory, record } from "./report/history.ts";
import { report } from "./report/report.ts";
import { exitStatus, summarise } from "./report/summary.ts";
import { renderTable, type Section } from "./report/table.ts";
import type { Contestant } from "./server.ts";

/** In the order of a run. A quick run leaves out the last ones if its time does not suffice. */
const LINES: readonly Line[] = [
  acp,
  burst,
  replay,
  quietSession,
  ready,
  cli,
  agent,
  manySessions,
  page,
  memory,
  subscribers,
  thousandSessions,
  recovery,
  reconnect,
  wireBytes,
  longSession,
  checkpoint,
  slowReader,
];
const PEERS: Readonly<Record<string, () => Contestant>> = { "sandbox-agent": sandboxAgent, opencode: openCode };
/** In a quick run no line begins after this time; opencode takes ten seconds to start, so it is left out. */
const QUICK_MS = 170_000;
const HISTORY = join(repository, "bench/history.json");

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    update: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    "no-peers": { type: "boolean", default: false },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  const lines = LINES.filter(({ name }) => values.only?.includes(name) ?? true);
  if (lines.length === 0)
    return refuse(`There is no such line. The lines are: ${LINES.map(({ name }) => name).join(", ")}.`);
  if (!existsSync("/proc/self/status")) return refuse("The benchmarks read /proc and run on Linux only.");
  if (values.update && values.only) return refuse("--update records a whole run, so it cannot be used with --only.");
  // Users run the bundle.
  execFileSync(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    join(repository, "scripts/build/bundle.ts"),
  ]);
  const { peers, missing } = values["no-peers"] ? { peers: [], missing: [] } : installPeers();
  const started = performance.now();
  const loadBefore = loadavg()[0] ?? 0;
  const at = new Date().toISOString();
  const { sections, skipped } = await runAll(lines, peers);
  const kind = values.quick ? "quick" : "full";
  const history = parseHistory(readFileSync(HISTORY, "utf8"));
  const changes = compare(history, kind, sections);
  const seconds = (performance.now() - started) / 1000;
  if (values.update) {
    const next = record(history, kind, sections, at, loadBefore);
    writeFileSync(HISTORY, `${JSON.stringify(next, undefined, 2)}\n`);
  }
  if (values.update && !values.quick) {
    const names = peers.map(({ name }) => name);
    const text = report(sections, names, changes, { at, seconds, loadBefore, missing });
    writeFileSync(join(repository, "BENCHMARKS.md"), text);
  }
  process.stdout.write(summarise({ kind, sections, changes, missing, skipped, seconds, loadBefore }));
  return exitStatus({ kind, sections, changes, skipped });
}

function installPeers(): { peers: Contestant[]; missing: string[] } {
  const peers: Contestant[] = [];
  const missing: string[] = [];
  for (const [name, install] of Object.entries(PEERS)) {
    if (values.quick && name === "opencode") continue;
    try {
      peers.push(install());
    } catch (error) {
      missing.push(name);
      process.stderr.write(`\n!!! ${name} COULD NOT BE INSTALLED and is not measured: ${(error as Error).message}\n\n`);
    }
  }
  return { peers, missing };
}

type Outcome = { sections: Section[]; skipped: string[] };

async function runAll(lines: readonly Line[], peers: readonly Contestant[]): Promise<Outcome> {
  const context = makeContext(values.quick ? "quick" : "full", peers);
  const leave = () => {
    for (const mark of marks) endMarked(mark);
    context.clean();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      leave();
      process.exit(130);
    });
  }
  const names = peers.map(({ name }) => name);
  const started = performance.now();
  const [sections, skipped]: [Section[], string[]] = [[], []];
  try {
    // Fills Node's compile cache, so that no line measures the first start after a source change.
    await withServer(context, gantry, async () => undefined);
    warmAgents(context.scratch("agents"));
    for (const line of lines) {
      if (values.quick && !values.only && performance.now() - started > QUICK_MS) {
        skipped.push(`${line.name}: the time of a quick run did not suffice`);
        continue;
      }
      try {
        const section = await line.run(context);
        sections.push(section);
        process.stdout.write(`\n## ${section.title}\n\n${renderTable(section.rows, names)}\n\n`);
      } catch (error) {
        skipped.push(`${line.name}: it failed: ${(error as Error).message}`);
        context.log(`!!! ${line.name} FAILED: ${(error as Error).stack}`);
      }
    }
  } finally {
    leave();
  }
  return { sections, skipped };
}

function refuse(text: string): number {
  process.stderr.write(`bench: ${text}\n`);
  return 2;
}
