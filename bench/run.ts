// npm run bench [-- --quick] [-- --only <line>] [-- --update]: measures Gantry and its peers on this machine.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
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
import { wireBytes } from "./lines/sizes/wire-bytes.ts";
import { agent } from "./lines/starts/own-agent.ts";
import { ready } from "./lines/starts/ready.ts";
import { openCode } from "./peers/opencode.ts";
import { sandboxAgent } from "./peers/sandbox-agent.ts";
import { report } from "./report/report.ts";
import { isMet, renderTable, type Section } from "./report/table.ts";
import type { Contestant } from "./server.ts";

const LINES: readonly Line[] = [
  ready,
  acp,
  burst,
  replay,
  quietSession,
  slowReader,
  reconnect,
  longSession,
  manySessions,
  recovery,
  wireBytes,
  checkpoint,
  agent,
  page,
];
const PEERS: Readonly<Record<string, () => Contestant>> = { "sandbox-agent": sandboxAgent, opencode: openCode };

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
  if (values.update && values.only) return refuse("--update writes the whole file, so it needs a complete run.");
  // Users run the bundle.
  execFileSync(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    join(repository, "scripts/build/bundle.ts"),
  ]);
  const { peers, missing } = values["no-peers"] ? { peers: [], missing: [] } : installPeers();
  const started = performance.now();
  const loadBefore = loadavg()[0] ?? 0;
  const at = new Date().toISOString();
  const sections = await runAll(lines, peers);
  const seconds = (performance.now() - started) / 1000;
  if (values.update) {
    const names = peers.map(({ name }) => name);
    const text = report(sections, names, { at, seconds, loadBefore, quick: values.quick, missing });
    writeFileSync(join(repository, "BENCHMARKS.md"), text);
  }
  return summarise(sections, seconds);
}

function installPeers(): { peers: Contestant[]; missing: string[] } {
  const peers: Contestant[] = [];
  const missing: string[] = [];
  for (const [name, install] of Object.entries(PEERS)) {
    try {
      peers.push(install());
    } catch (error) {
      missing.push(name);
      process.stderr.write(`\n!!! ${name} COULD NOT BE INSTALLED and is not measured: ${(error as Error).message}\n\n`);
    }
  }
  return { peers, missing };
}

async function runAll(lines: readonly Line[], peers: readonly Contestant[]): Promise<Section[]> {
  const context = makeContext(values.quick, peers);
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
  const sections: Section[] = [];
  try {
    // Fills Node's compile cache, so that no line measures the first start after a source change.
    await withServer(context, gantry, async () => undefined);
    warmAgents(context.scratch("agents"));
    for (const line of lines) {
      const section = await line.run(context);
      sections.push(section);
      process.stdout.write(`\n## ${section.title}\n\n${renderTable(section.rows, names)}\n\n`);
    }
  } finally {
    leave();
  }
  return sections;
}

/** Returns 1 if events were lost or reordered, or processes were orphaned. A missed budget is only reported. */
function summarise(sections: readonly Section[], seconds: number): number {
  const rows = sections.flatMap(({ title, rows: own }) => own.map((row) => ({ title, row })));
  const missed = rows.filter(({ row }) => isMet(row) === false);
  for (const { title, row } of missed) process.stdout.write(`missed: ${title}: ${row.what}\n`);
  process.stdout.write(`${rows.length} figures in ${Math.round(seconds)} s, ${missed.length} budgets missed\n`);
  return missed.some(({ row }) => row.expected !== undefined) ? 1 : 0;
}

function refuse(text: string): number {
  process.stderr.write(`bench: ${text}\n`);
  return 2;
}
