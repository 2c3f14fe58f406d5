import type { ConflictMatrix, Lane } from "@gantry/protocol";
import { ArrowDown, ArrowUp, GitBranch, House, Loader, Paperclip } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { classes } from "../ui/classes.ts";
import { Badge } from "../ui/display/badge.tsx";
import { formatBytes } from "../ui/display/format.ts";
import { conflictBadge } from "./conflicts/conflict-badge.ts";
import { LaneMenu } from "./lane-menu.tsx";
import { baseStatus, describeUncommitted } from "./lane-text.ts";
import { SessionList } from "./session-list.tsx";

const icons = {
  primary: <House size={14} aria-label="Primary" className="shrink-0 text-faint" />,
  worktree: <GitBranch size={14} aria-label="Worktree" className="shrink-0 text-faint" />,
  attached: <Paperclip size={14} aria-label="Attached" className="shrink-0 text-faint" />,
} as const;

type LaneRowProps = { lane: Lane; conflicts: ConflictMatrix | undefined; onChanged: () => void };

/** One lane: its kind, its state and its sessions. */
export function LaneRow({ lane, conflicts, onChanged }: LaneRowProps) {
  return (
    <li aria-label={lane.name} className={classes("px-3 py-2", lane.state === "archived" && "opacity-60")}>
      <div className="flex items-center gap-2.5">
        {icons[lane.kind]}
        <Link
          href={`/lanes/${lane.id}`}
          className="min-w-0 pointer-coarse:min-w-10 truncate font-medium hover:underline"
        >
          {lane.name}
        </Link>
        {lane.branch && lane.branch !== lane.name && (
          <code className="min-w-0 truncate font-mono text-xs text-faint max-sm:hidden">{lane.branch}</code>
        )}
        <span className="grow" />
        <LaneBadges lane={lane} conflicts={conflicts} />
        <LaneFigures lane={lane} />
        <LaneMenu lane={lane} onChanged={onChanged} />
      </div>
      <Notices lines={[...lane.missing, ...lane.notices]} />
      <div className="mt-1 ml-6.5 empty:hidden">
        <SessionList ids={lane.sessions} />
      </div>
    </li>
  );
}

function LaneBadges({ lane, conflicts }: Omit<LaneRowProps, "onChanged">) {
  const conflict = conflictBadge(lane.id, conflicts);
  const open = describeUncommitted(lane);
  return (
    <>
      {lane.state === "creating" && (
        <Badge>
          <Loader size={11} className="animate-spin" /> Creating
        </Badge>
      )}
      {lane.state === "removing" && <Badge>Removing</Badge>}
      {lane.state === "archived" && <Badge>Archived</Badge>}
      {lane.state === "failed" && <Badge tone="bad">Failed</Badge>}
      {lane.locked !== undefined && <Badge title={lane.locked}>Locked</Badge>}
      <SetupBadge lane={lane} />
      {conflict && (
        <Badge tone={conflict.tone} title={conflict.title}>
          {conflict.text}
        </Badge>
      )}
      {open && (
        <Badge tone="accent" title={open}>
          {lane.changes} changed
        </Badge>
      )}
    </>
  );
}

function SetupBadge({ lane: { setup } }: { lane: Lane }) {
  if (setup.state === "running")
    return (
      <Badge title={setup.command}>
        <Loader size={11} className="animate-spin" /> Setting up
      </Badge>
    );
  if (setup.state === "untrusted")
    return (
      <Badge tone="need" title={setup.command}>
        Set-up not trusted
      </Badge>
    );
  if (setup.state === "failed" || setup.state === "timeout")
    return (
      <Badge tone="need" title={setup.command}>
        {setup.state === "failed" ? "Set-up failed" : "Set-up timed out"}
      </Badge>
    );
  return null;
}

function LaneFigures({ lane }: { lane: Lane }) {
  const { ahead, behind, ports, disk } = lane;
  return (
    <span className="flex shrink-0 items-center gap-2.5 text-xs text-faint tabular-nums">
      {lane.base && (
        <span title={baseStatus(lane)} className="flex items-center">
          <Step icon={<ArrowUp size={11} />} count={ahead} />
          <Step icon={<ArrowDown size={11} />} count={behind} />
        </span>
      )}
      {ports && (
        <span title="Ports reserved for this lane" className="max-sm:hidden">
          :{ports.start}–{String(ports.end).slice(-2)}
        </span>
      )}
      {disk !== undefined && (
        <span title="Size on disk" className="w-14 text-right max-sm:hidden">
          {formatBytes(disk)}
        </span>
      )}
    </span>
  );
}

function Step({ icon, count }: { icon: ReactNode; count: number }) {
  return (
    <span className={classes("flex w-8 items-center", count > 0 ? "text-soft" : "opacity-50")}>
      {icon}
      {count}
    </span>
  );
}

/** Restrictions and warnings of a lane. */
function Notices({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="mt-0.5 ml-6.5 text-xs text-soft">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
