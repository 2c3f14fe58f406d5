import { type AgentRow, formatWindow, listModelFacts, type Model } from "@gantry/protocol";
import { Cpu, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { agents, scanAgents, scanning } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { chooseAgent } from "../store/outgoing/last-choices.ts";
import { Button } from "../ui/controls/button.tsx";
import { TextField } from "../ui/controls/field.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { View } from "../ui/layout/view.tsx";
import { Providers } from "./providers.tsx";

/** The models of the installed agents. */
export default function Models() {
  const rows = useCell(agents);
  const busy = useCell(scanning);
  const [filter, setFilter] = useState("");
  const groups = useMemo(() => filterModels(rows, filter), [rows, filter]);
  const actions = (
    <>
      <TextField label="Filter models" value={filter} onChange={setFilter} placeholder="Filter" className="w-48" />
      <Button disabled={busy} onClick={() => void scanAgents(true)}>
        {busy ? "Refreshing…" : "Refresh"}
      </Button>
    </>
  );
  return (
    <View title="Models" actions={actions}>
      <div className="flex flex-col gap-8">
        <Providers />
        {groups.map(({ row, models }) => (
          <AgentModels key={row.id} row={row} models={models} />
        ))}
        {groups.length === 0 && !busy && <Nothing filtered={filter !== ""} />}
      </div>
    </View>
  );
}

function AgentModels({ row, models }: { row: AgentRow; models: readonly Model[] }) {
  return (
    <section aria-label={row.name}>
      <h2 className="flex items-center gap-2 pb-1.5 text-sm font-semibold">
        {row.name}
        <span className="font-normal text-faint">{models.length}</span>
        <Source row={row} />
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {models.map((model) => (
          <ModelLine key={model.id} row={row} model={model} />
        ))}
      </ul>
    </section>
  );
}

function Source({ row }: { row: AgentRow }) {
  if (row.models.source === "live") return <Badge tone="good">Listed by the agent</Badge>;
  return <Badge title="The agent did not list its models.">Gantry's built-in list</Badge>;
}

function ModelLine({ row, model }: { row: AgentRow; model: Model }) {
  const [, go] = useLocation();
  const start = () => {
    chooseAgent(row.id, model.id);
    go("/new");
  };
  return (
    <li className="flex items-center gap-3 px-3 py-1.5">
      <div className="min-w-0 grow">
        <div className="flex min-w-0 items-center gap-2">
          <span className="truncate">{model.name}</span>
          {model.name !== model.id && (
            <code className="min-w-0 truncate font-mono text-xs text-faint max-sm:hidden">{model.id}</code>
          )}
          {model.default && <Badge tone="accent">Default</Badge>}
          {model.deprecated && <Badge tone="need">Deprecated</Badge>}
        </div>
        <Facts model={model} />
      </div>
      <Button
        look="quiet"
        label={`Start with ${model.name}`}
        icon={<Plus size={14} />}
        disabled={row.state !== "ready"}
        onClick={start}
      />
    </li>
  );
}

/** Context window and price in columns, so that models can be compared; the rest as text. */
function Facts({ model }: { model: Model }) {
  const { contextWindow, efforts } = model;
  const rest = listModelFacts({
    ...model,
    deprecated: undefined,
    contextWindow: undefined,
    price: undefined,
    local: undefined,
  });
  const all = [...rest, ...(efforts.length > 0 ? [formatEfforts(efforts)] : [])];
  return (
    <p className="flex flex-wrap gap-x-4 text-xs text-faint tabular-nums">
      <span className="w-24">{contextWindow ? `${formatWindow(contextWindow)} context` : "context unknown"}</span>
      <span className="w-56">{priceText(model)}</span>
      {all.length > 0 && <span>{all.join(" · ")}</span>}
    </p>
  );
}

function priceText({ price, local }: Model): string {
  const [text = "price unknown"] = listModelFacts({ id: "", name: "", default: false, efforts: [], price, local });
  return text;
}

function formatEfforts(efforts: readonly string[]): string {
  return efforts.length > 2 ? `${efforts[0]} to ${efforts.at(-1)} effort` : `${efforts.join(" or ")} effort`;
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No model matches the filter" />;
  return (
    <Empty title="No models yet" icon={<Cpu size={28} strokeWidth={1.5} />}>
      <p>
        Models are listed by agents that are installed and logged in.{" "}
        <Link href="/agents" className="text-accent underline">
          Go to Agents
        </Link>
      </p>
    </Empty>
  );
}

/** Installed agents with those of their models that contain every term of the filter. */
function filterModels(rows: readonly AgentRow[], filter: string): { row: AgentRow; models: readonly Model[] }[] {
  const terms = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return rows
    .filter((row) => row.state !== "missing")
    .map((row) => ({ row, models: row.models.items.filter((model) => matchesTerms(row, model, terms)) }))
    .filter(({ models }) => models.length > 0);
}

function matchesTerms(row: AgentRow, model: Model, terms: readonly string[]): boolean {
  const text = `${row.name} ${model.id} ${model.name}`.toLowerCase();
  return terms.every((term) => text.includes(term));
}
