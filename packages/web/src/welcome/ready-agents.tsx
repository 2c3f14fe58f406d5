import type { AgentRow } from "@gantry/protocol";
import { ArrowRight } from "lucide-react";
import { Link, useLocation } from "wouter";
import { statusOf } from "../agents/agent-status.ts";
import { SetupCommand } from "../agents/setup/setup-command.tsx";
import { scanning } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { chooseAgent } from "../store/outgoing/last-choices.ts";

/** Buttons that start a session with an installed agent. An agent that is not ready shows its setup command. */
export function ReadyAgents({ rows }: { rows: readonly AgentRow[] }) {
  const busy = useCell(scanning);
  if (rows.length === 0) return busy ? <p className="text-faint">Looking for agents on this machine…</p> : <NoneYet />;
  return (
    <section aria-label="Start with an agent">
      <h3 className="flex items-baseline gap-3 pb-2 text-sm font-semibold">
        Start with an agent
        <Link href="/agents" className="font-normal text-accent underline underline-offset-2">
          All agents
        </Link>
      </h3>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(19rem,1fr))] gap-2">
        {rows.map((row) => (
          <li key={row.id}>
            <ReadyAgent row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReadyAgent({ row }: { row: AgentRow }) {
  const [, go] = useLocation();
  const [offer] = row.offers;
  if (statusOf(row) !== "ready")
    return (
      <div className="flex min-h-12 flex-col justify-center gap-1 rounded-lg border border-line bg-surface px-3 py-2">
        <h4 className="text-sm font-medium">{row.name}</h4>
        {offer ? <SetupCommand offer={offer} /> : <p className="text-xs text-faint">{row.problems[0]?.message}</p>}
      </div>
    );
  const start = () => {
    chooseAgent(row.id);
    go("/new");
  };
  return (
    <button
      type="button"
      onClick={start}
      className="flex min-h-12 w-full items-center gap-3 rounded-lg border border-line bg-surface px-3 py-1.5 text-left hover:border-line-strong hover:bg-hover"
    >
      <span className="min-w-0 grow">
        <span className="block truncate text-sm font-medium">{row.name}</span>
        {row.version && <span className="block truncate font-mono text-2xs text-faint">{row.version}</span>}
      </span>
      <ArrowRight size={15} className="shrink-0 text-faint" aria-hidden="true" />
    </button>
  );
}

function NoneYet() {
  return (
    <p className="max-w-prose text-soft">
      No agents were found on this machine. Install one of these, or{" "}
      <Link href="/agents" className="text-accent underline underline-offset-2">
        see all agents
      </Link>
      .
    </p>
  );
}
