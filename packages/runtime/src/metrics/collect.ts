import { statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { ProcessList, SessionState, UsageRow } from "@gantry/protocol";
import type { Counters } from "./counters.ts";
import type { Family } from "./prometheus.ts";

/** Where the figures come from. */
export type MetricSources = {
  version: string;
  home: string;
  counters: Counters;
  countSessions(state: SessionState): number;
  pendingInputs(): number;
  processList(): ProcessList;
  tasks(): number;
  subscribers(): number;
  usage(): UsageRow[];
};

const STATES: readonly SessionState[] = ["idle", "running", "waiting", "limited", "ended"];
const OUTCOMES = ["completed", "failed", "interrupted"];

/** All metrics of the daemon. Reads the database: it is called for a request, never for an event. */
export function collectMetrics(sources: MetricSources): Family[] {
  return [...daemonFamilies(sources), ...sessionFamilies(sources), ...usageFamilies(sources.usage())];
}

function daemonFamilies({ version, home, counters, subscribers }: MetricSources): Family[] {
  const { user, system } = process.cpuUsage();
  const database = ["gantry.db", "gantry.db-wal"].map((file) => ({
    labels: { file },
    value: statSync(join(home, file), { throwIfNoEntry: false })?.size ?? 0,
  }));
  return [
    gauge("gantry_build_info", "The version of the daemon.", [{ labels: { version }, value: 1 }]),
    gauge("gantry_uptime_seconds", "Seconds since the daemon started.", one(process.uptime())),
    counter("process_cpu_seconds_total", "Processor time of the daemon.", one((user + system) / 1e6)),
    gauge("process_resident_memory_bytes", "Resident memory of the daemon.", one(process.memoryUsage.rss())),
    gauge(
      "gantry_event_loop_utilization",
      "The share of time in which the daemon's event loop was busy since the start.",
      one(performance.eventLoopUtilization().utilization),
    ),
    gauge("gantry_database_bytes", "Size of the database files.", database),
    counter("gantry_events_total", "Events that were committed since the start.", one(counters.events)),
    gauge("gantry_subscribers", "Open event streams.", one(subscribers())),
  ];
}

function sessionFamilies(sources: MetricSources): Family[] {
  const { counters } = sources;
  const { max, processes } = sources.processList();
  const outcomes = new Set([...OUTCOMES, ...counters.turns.keys()]);
  return [
    gauge(
      "gantry_sessions",
      "Sessions that are not archived, by state.",
      STATES.map((state) => ({ labels: { state }, value: sources.countSessions(state) })),
    ),
    counter(
      "gantry_turns_total",
      "Turns that ended since the start, by outcome.",
      [...outcomes].map((outcome) => ({ labels: { outcome }, value: counters.turns.get(outcome) ?? 0 })),
    ),
    gauge("gantry_pending_inputs", "Requests that wait for a person.", one(sources.pendingInputs())),
    counter("gantry_inputs_total", "Requests to a person since the start.", one(counters.inputs)),
    gauge(
      "gantry_agent_processes",
      "Agent processes, by agent and state.",
      countBy(processes, ({ agent, state }) => ({ agent, state })),
    ),
    gauge("gantry_agent_processes_limit", "Above this number, idle agent processes are released.", one(max)),
    gauge("gantry_tasks", "Background tasks that run.", one(sources.tasks())),
  ];
}

/** From the usage ledger, which outlives sessions and restarts. */
function usageFamilies(rows: readonly UsageRow[]): Family[] {
  const labelsOf = ({ agent = "", model = "" }: UsageRow) => ({ agent, model });
  const tokens = rows.flatMap((row) =>
    Object.entries(row.usage).map(([kind, value]) => ({ labels: { ...labelsOf(row), kind }, value: value ?? 0 })),
  );
  const cost = rows.map((row) => ({ labels: labelsOf(row), value: row.cost.usd }));
  return [
    counter("gantry_tokens_total", "Tokens in the usage ledger, by agent, model and kind.", tokens),
    counter("gantry_cost_usd_total", "Known cost in the usage ledger, by agent and model.", cost),
  ];
}

function countBy<T>(items: readonly T[], labelsOf: (item: T) => Record<string, string>): Family["samples"] {
  const counted = new Map<string, { labels: Record<string, string>; value: number }>();
  for (const item of items) {
    const labels = labelsOf(item);
    const key = JSON.stringify(labels);
    counted.set(key, { labels, value: (counted.get(key)?.value ?? 0) + 1 });
  }
  return [...counted.values()];
}

const one = (value: number): Family["samples"] => [{ value }];
const gauge = (name: string, help: string, samples: Family["samples"]): Family => ({
  name,
  help,
  type: "gauge",
  samples,
});
const counter = (name: string, help: string, samples: Family["samples"]): Family => ({
  name,
  help,
  type: "counter",
  samples,
});
