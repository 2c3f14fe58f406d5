import type { AgentRow } from "@gantry/protocol";
import { ChevronRight, Plus, RefreshCw } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { chooseAgent } from "../../store/outgoing/last-choices.ts";
import { classes } from "../../ui/classes.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { statusOf } from "../agent-status.ts";
import { authText, modelText, statusLabels } from "../agent-text.ts";
import { recheckAgent } from "../setup/run-setup.ts";
import { SetupCommand } from "../setup/setup-command.tsx";
import { AgentDetails } from "./agent-details.tsx";
import { TestButton, TestSteps, useAgentTest } from "./agent-test.tsx";
import { ProblemList } from "./problem-list.tsx";

/** An installed agent: its state, its problems and their fixes. Details open on request. */
export function AgentCard({ row, highlighted }: { row: AgentRow; highlighted: boolean }) {
  const [open, setOpen] = useState(false);
  const card = useRef<HTMLElement>(null);
  const details = useId();
  const status = statusOf(row);
  const live = useAgentTest(row);
  useEffect(() => {
    if (highlighted) card.current?.scrollIntoView({ block: "center" });
  }, [highlighted]);
  return (
    <article
      ref={card}
      aria-label={row.name}
      className={classes("rounded-lg border bg-surface", highlighted ? "border-accent" : "border-line")}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 py-2 pr-2 pl-4">
        <h2 className="text-sm font-semibold">{row.name}</h2>
        {row.version && <span className="font-mono text-xs text-faint">{row.version}</span>}
        <Badge tone={statusLabels[status].tone}>{statusLabels[status].label}</Badge>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
          <RecheckButton row={row} />
          {status === "ready" && <TestButton row={row} {...live} />}
          <NewSessionButton row={row} />
          <Button
            look="quiet"
            aria-expanded={open}
            aria-controls={details}
            aria-label={`Details of ${row.name}`}
            icon={<ChevronRight size={14} className={classes("transition-transform", open && "rotate-90")} />}
            onClick={() => setOpen(!open)}
          >
            Details
          </Button>
        </div>
      </header>
      <div className="flex flex-col gap-2.5 px-4 pb-3">
        {row.state === "ready" && (
          <p className="text-soft">
            {authText(row.auth)} · {modelText(row.models)}
          </p>
        )}
        <ProblemList problems={row.problems} />
        {row.offers.map((offer) => (
          <SetupCommand key={offer.kind} offer={offer} look="primary" />
        ))}
        {live.run && <TestSteps run={live.run} />}
      </div>
      <div id={details}>{open && <AgentDetails row={row} />}</div>
    </article>
  );
}

function RecheckButton({ row }: { row: AgentRow }) {
  const [checking, setChecking] = useState(false);
  const recheck = () => {
    setChecking(true);
    void recheckAgent(row.id).finally(() => setChecking(false));
  };
  return (
    <Button
      look="quiet"
      label={`Recheck ${row.name}`}
      disabled={checking}
      icon={<RefreshCw size={14} className={checking ? "animate-spin" : undefined} />}
      onClick={recheck}
    />
  );
}

function NewSessionButton({ row }: { row: AgentRow }) {
  const [, go] = useLocation();
  const start = () => {
    chooseAgent(row.id);
    go("/new");
  };
  if (statusOf(row) !== "ready") return null;
  return (
    <Button aria-label={`Start with ${row.name}`} icon={<Plus size={14} />} onClick={start}>
      Start
    </Button>
  );
}
