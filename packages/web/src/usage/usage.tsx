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
import { UsageTable } from "./usage-table.tsx";

const DAYS = 30;
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
  const { value, error, reload } = useQuery("usage", load);
  const choose = <T extends string>(values: readonly T[], names: Record<T, string>) =>
    values.map((value) => ({ value, label: names[value] }));
  const pickers = (
    <>
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
        value && <Report {...value} measure={measure} split={split} />
      )}
    </View>
  );
}

async function load() {
  const [days, ...others] = await Promise.all([
    client.usage("day,agent,model"),
    ...(["agent", "model", "session", "lane"] as const).map((by) => client.usage(by)),
  ]);
  const [agents = [], models = [], sessions = [], lanes = []] = others.map(({ rows }) => rows);
  return { days: days.rows, total: days.total, agents, models, sessions, lanes };
}

type ReportProps = Awaited<ReturnType<typeof load>> & { measure: Measure; split: Split };

function Report({ days, total, agents: byAgent, models, sessions, lanes, measure, split }: ReportProps) {
  const agentRows = useCell(agents);
  if (total.turns === 0)
    return (
      <Empty title="No usage yet" icon={<ChartColumn size={28} strokeWidth={1.5} />}>
        <p>
          Tokens and cost appear here after the first turn. Costs the agents do not report are estimated from list
          prices.
        </p>
      </Empty>
    );
  const today = new Date().toISOString().slice(0, 10);
  const format = measure === "cost" ? formatDollars : formatCount;
  const withNames = (rows: readonly UsageRow[]) =>
    rows.map((row) => ({ ...row, agent: agentName(agentRows, row.agent ?? "") }));
  const chart = dayChart(withNames(days), split, measure, today, DAYS);
  return (
    <div className="flex flex-col gap-8">
      <Totals total={total} />
      <DayBars chart={chart} format={format} label={`${names[measure]} per day ${names[split]}, last ${DAYS} days`} />
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
        name={({ session = "" }) => (
          <SessionLink id={session} className="hover:underline">
            {sessionCell(session).get()?.title ?? session}
          </SessionLink>
        )}
      />
    </div>
  );
}

function Totals({ total }: { total: UsageRow }) {
  const figures = [
    { name: "Turns", value: String(total.turns) },
    { name: "Input tokens", value: formatCount(total.usage.input) },
    { name: "Output tokens", value: formatCount(total.usage.output) },
    { name: "Cost", value: formatDollars(total.cost.usd) },
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
