import { type Launch, type SessionStatus, statusText } from "@gantry/protocol";
import { Columns3, Rocket } from "lucide-react";
import { Link } from "wouter";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { tilesPath } from "../tiles/tile-list.ts";
import { classes } from "../ui/classes.ts";
import { Ago } from "../ui/display/ago.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { StatusDot } from "../ui/display/state-dot.tsx";
import type { SlotEntry } from "./columns.ts";
import { CARD, Reason } from "./session-card.tsx";

type LaunchCardProps = { launch: Launch; slots: readonly SlotEntry[]; status: SessionStatus };

/** A launch on the board: its sessions share one card, each with its state. */
export function LaunchCard({ launch, slots, status }: LaunchCardProps) {
  const rows = useCell(agents);
  return (
    <article className={classes(CARD, "border-line")} aria-label={`Launch ${launch.name}`}>
      <div className="flex items-baseline gap-2">
        <span className="flex shrink-0 self-center">
          <StatusDot status={status} />
        </span>
        <h3 className="min-w-0 grow truncate font-medium">
          <Link href={`/launches/${launch.id}`} className="hover:underline">
            {launch.name}
          </Link>
        </h3>
        <Ago at={launch.createdAt} className="shrink-0 text-2xs text-faint tabular-nums" />
        <Link
          href={tilesPath(launch.slots.map(({ session }) => session))}
          aria-label={`Open ${launch.name} side by side`}
          title="Side by side"
          className="flex size-5 shrink-0 items-center justify-center self-center rounded text-faint hover:bg-hover hover:text-ink pointer-coarse:size-11"
        >
          <Columns3 size={13} aria-hidden="true" />
        </Link>
      </div>
      <p className="flex items-center gap-1 text-2xs text-faint">
        <Rocket size={11} className="shrink-0" />
        <span className="truncate">
          Launch of {slots.length} · {statusText(status)}
        </span>
      </p>
      <ul className="-mx-1 flex flex-col">
        {slots.map((slot) => (
          <li key={slot.name} className="flex flex-col gap-1">
            <Slot slot={slot} agent={agentName(rows, slot.agent)} />
            {slot.session && <Reason session={slot.session} status={slot.status} />}
          </li>
        ))}
      </ul>
    </article>
  );
}

function Slot({ slot: { session, status, name }, agent }: { slot: SlotEntry; agent: string }) {
  const content = (
    <>
      <StatusDot status={status} />
      <span className="min-w-0 truncate">{agent}</span>{" "}
      <span className="ml-auto min-w-0 shrink-0 truncate text-2xs text-faint">{statusText(status)}</span>
    </>
  );
  const look = "flex h-6 items-center gap-2 rounded px-1 text-xs pointer-coarse:min-h-11";
  if (!session) return <div className={look}>{content}</div>;
  return (
    <SessionLink
      id={session.id}
      data-card={session.id}
      aria-label={`${agent} ${statusText(status)}: ${session.title}`}
      title={name}
      className={classes(look, "hover:bg-hover")}
    >
      {content}
    </SessionLink>
  );
}
