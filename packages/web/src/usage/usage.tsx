import type { UsageRow } from "@gantry/protocol";
import { ChartColumn } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { sessionCell } from "../store/sessions/sessions.ts";
import { Select } from "../ui/controls/select.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { formatCount, formatDollars } from "../ui/display/format.ts";
import { LoadError } from "../ui/display/load-error.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { View } from "../ui/layout/view.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { DayBars } from "./day-bars.tsx";
import { dayChart, type Measure, measures, type Split, splits, sumBy } from "./series.ts";
import { formatCost, UsageTable } from "./usage-table.tsx";

/** The date ranges. `all` has no start; its chart shows the last 90 days. */
const ranges = {
  "1": "Today",
  "7": "Last 7 days",
  "30": "Last 30 days",
  "90": "Last 90 days",
  all: "All time",
} as const;
type Range = keyof typeof ranges;
const ALL_CHART_DAYS = 90;
const MAX_SESSIONS = 20;
const names: Record<Measure | Split, string> = {
  cost: "Cost",
  tokens: "Tokens",
  turns: "Turns",
  agent: "by agent",
  model: "by model",
};

/** Usage by day, agent, model, lane and session. */
export default function Usage() {
  const [measure, setMeasure] = useState<Measure>("tokens");
  const [split, setSplit] = useState<Split>("agent");
  const [range, setRange] = useState<Range>("30");
  const { value, error, reload } = useQuery(`usage ${range}`, () => load(range));
  const choose = <T extends string>(values: readonly T[], names: Record<T, string>) =>
    values.map((value) => ({ value, label: names[value] }));
  const pickers = (
    <>
      <Select
        label="Date range"
        value={range}
        choices={choose(Object.keys(ranges) as Range[], ranges)}
        onChoose={(picked) => setRange(picked as Range)}
      />
      <Select
        label="Measure"
        value={measure}
        choices={choose(measures, names)}
        onChoose={(picked) => setMeasure(picked as Measure)}
      />
      <Select
        label="Split"
        value={split}
        choices={choose(splits, names)}
        onChoose={(picked) => setSplit(picked as Split)}
      />
    </>
  );
  return (
    <View title="Usage" actions={pickers}>
      {error ? (
        <LoadError error={error} onRetry={reload} />
      ) : (
        value && <Report {...value} range={range} measure={measure} split={split} />
      )}
    </View>
  );
}

/** The first day of a range in local time. */
function firstDay(range: Range): string | undefined {
  return range === "all" ? undefined : localDay(Number(range) - 1);
}

/** The local day, some days ago. */
function localDay(ago = 0): string {
  const at = new Date();
  at.setDate(at.getDate() - ago);
  const parts = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

async function load(range: Range) {
  const read = (by: string) => client.call("usage", { query: { by, since: firstDay(range) } });
  const [days, ...others] = await Promise.all([
    read("day,agent,model"),
    ...["agent", "model", "session", "lane"].map(read),
  ]);
  const [agents = [], models = [], sessions = [], lanes = []] = others.map(({ rows }) => rows);
  return { days: days.rows, total: days.total, agents, models, sessions, lanes };
}

type ReportProps = Awaited<ReturnType<typeof load>> & { range: Range; measure: Measure; split: Split };

function Report({ days, total, agents: byAgent, models, sessions, lanes, range, measure, split }: ReportProps) {
  const agentRows = useCell(agents);
  if (total.turns === 0)
    return (
      <Empty
        title={range === "all" ? "No usage yet" : "No usage in this range"}
        icon={<ChartColumn size={28} strokeWidth={1.5} />}
      >
        <p>
          Tokens and cost appear here after the first turn. Costs the agents do not report are estimated from list
          prices.
        </p>
      </Empty>
    );
  const count = range === "all" ? ALL_CHART_DAYS : Number(range);
  const format = measure === "cost" ? formatDollars : formatCount;
  const withNames = (rows: readonly UsageRow[]) =>
    rows.map((row) => ({ ...row, agent: agentName(agentRows, row.agent ?? "") }));
  const chart = dayChart(withNames(days), split, measure, localDay(), count);
  return (
    <div className="flex flex-col gap-8">
      <Totals total={total} />
      {count > 1 && (
        <DayBars
          chart={chart}
          format={format}
          label={`${names[measure]} per day ${names[split]}, last ${count} days`}
        />
      )}
      <UsageTable caption="Agents" rows={sumBy(withNames(byAgent), "agent", measure)} name={(row) => row.agent} />
      <UsageTable caption="Models" rows={sumBy(models, "model", measure)} name={(row) => row.model} />
      {lanes.some(({ lane }) => lane) && (
        <UsageTable
          caption="Lanes"
          rows={sumBy(
            lanes.filter(({ lane }) => lane),
            "lane",
            measure,
          )}
          name={({ lane = "" }) => <LaneName id={lane} />}
        />
      )}
      <UsageTable
        caption="Top sessions"
        rows={sumBy(sessions, "session", measure).slice(0, MAX_SESSIONS)}
        name={({ session = "" }) => <SessionName id={session} />}
      />
    </div>
  );
}

function Totals({ total }: { total: UsageRow }) {
  const figures = [
    { name: "Turns", value: String(total.turns) },
    { name: "Input tokens", value: formatCount(total.usage.input) },
    { name: "Output tokens", value: formatCount(total.usage.output) },
    { name: "Cost", value: formatCost(total) },
  ];
  return (
    <dl className="grid grid-cols-4 divide-x divide-line rounded-lg border border-line max-sm:grid-cols-2 max-sm:divide-x-0">
      {figures.map(({ name, value }) => (
        <div key={name} className="px-4 py-3">
          <dt className="text-xs text-faint">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The usage of a deleted session stays booked; its title is gone. Expenses without a session have a name. */
function SessionName({ id }: { id: string }) {
  const loaded = sessionCell(id).get();
  const { value, error } = useQuery(id, async () =>
    loaded || !id.startsWith("ses_") ? undefined : client.sessions.get(id),
  );
  if (!id.startsWith("ses_")) return <span className="text-soft">{id}</span>;
  if (error) return <span className="text-faint">Deleted session</span>;
  return (
    <SessionLink id={id} className="hover:underline">
      {loaded?.title ?? value?.title ?? "…"}
    </SessionLink>
  );
}

/** A removed lane has no name any more. */
function LaneName({ id }: { id: string }) {
  const { value } = useQuery(id, () => client.call("getLane", { params: { id } }).catch(() => undefined));
  if (!value) return <span className="text-faint">Removed lane</span>;
  return (
    <Link href={`/lanes/${id}`} className="hover:underline">
      {value.name}
    </Link>
  );
}
