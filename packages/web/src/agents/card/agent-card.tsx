import type { AgentRow } from "@gantry/protocol";
import { ChevronRight, Plus, RefreshCw } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import { lastChoices } from "../../store/last-choices.ts";
import { classes } from "../../ui/classes.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { authWords, modelWords, standings } from "../agent-words.ts";
import { standingOf } from "../groups.ts";
import { OfferLine } from "../offers/offer-line.tsx";
import { askAgain } from "../offers/run-offer.ts";
import { AgentDetails } from "./agent-details.tsx";
import { LiveCheckButton, LiveSteps, useLiveCheck } from "./live-check.tsx";
import { Problems } from "./problems.tsx";

/** An agent of this machine: how it stands, what is wrong with it and what mends that; the rest on demand. */
export function AgentCard({ row, meant }: { row: AgentRow; meant: boolean }) {
  const [open, setOpen] = useState(false);
  const card = useRef<HTMLElement>(null);
  const details = useId();
  const standing = standingOf(row);
  const live = useLiveCheck(row);
  useEffect(() => {
    if (meant) card.current?.scrollIntoView({ block: "center" });
  }, [meant]);
  return (
    <article
      ref={card}
      aria-label={row.name}
      className={classes("rounded-lg border bg-surface", meant ? "border-accent" : "border-line")}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1 py-2 pr-2 pl-4">
        <h2 className="text-sm font-semibold">{row.name}</h2>
        {row.version && <span className="font-mono text-xs text-faint">{row.version}</span>}
        <Badge tone={standings[standing].tone}>{standings[standing].words}</Badge>
        <span className="grow" />
        <AskAgain row={row} />
        {standing === "ready" && <LiveCheckButton row={row} {...live} />}
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
      </header>
      <div className="flex flex-col gap-2.5 px-4 pb-3">
        {row.state === "ready" && (
          <p className="text-soft">
            {authWords(row.auth)} · {modelWords(row.models)}
          </p>
        )}
        <Problems problems={row.problems} />
        {row.offers.map((offer) => (
          <OfferLine key={offer.kind} offer={offer} look="primary" />
        ))}
        {live.run && <LiveSteps run={live.run} />}
      </div>
      <div id={details}>{open && <AgentDetails row={row} />}</div>
    </article>
  );
}

function AskAgain({ row }: { row: AgentRow }) {
  const [asking, setAsking] = useState(false);
  const ask = () => {
    setAsking(true);
    void askAgain(row.id).finally(() => setAsking(false));
  };
  return (
    <Button
      look="quiet"
      label={`Ask ${row.name} again`}
      disabled={asking}
      icon={<RefreshCw size={14} className={asking ? "animate-spin" : undefined} />}
      onClick={ask}
    />
  );
}

function NewSessionButton({ row }: { row: AgentRow }) {
  const [, go] = useLocation();
  const start = () => {
    lastChoices.update((last) => ({ ...last, agent: row.id, model: undefined, effort: undefined }));
    go("/new");
  };
  if (standingOf(row) !== "ready") return null;
  return (
    <Button aria-label={`Start with ${row.name}`} icon={<Plus size={14} />} onClick={start}>
      Start
    </Button>
  );
}
