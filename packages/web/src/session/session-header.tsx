import type { SessionView } from "@gantry/protocol";
import { Check, Copy, Rocket } from "lucide-react";
import { Link } from "wouter";
import { UnenforcedBadge } from "../composer/choices/unenforced-badge.tsx";
import { PanelButton } from "../panel/panel-button.tsx";
import { panelTabs } from "../panel/panel-tabs.tsx";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { useLaunchOf } from "../store/launches.ts";
import { useCopy } from "../ui/controls/copy-button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { StateDot } from "../ui/display/state-dot.tsx";
import { GitActions } from "./git/git-actions.tsx";
import { GitSummary } from "./git/git-summary.tsx";
import { useGit } from "./git/use-git.ts";
import { Meters } from "./meters.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { StateText } from "./session-state.tsx";
import { SessionTitle } from "./session-title.tsx";

/** Title, state and actions of a session. */
export function SessionHeader({ session }: { session: SessionView }) {
  const name = agentName(useCell(agents), session.agent);
  const git = useGit(session);
  return (
    <header className="flex shrink-0 items-center gap-4 border-b border-line px-4 py-2 max-sm:flex-wrap max-sm:gap-y-0 max-sm:pb-0">
      <div className="min-w-0 grow max-sm:basis-full">
        <div className="flex items-center gap-2">
          <StateDot session={session} />
          <SessionTitle session={session} />
          {session.archived && <Badge>Archived</Badge>}
          {session.lead && (
            <Badge title="Its agent may answer, hand off and land for the sessions that it started.">Lead</Badge>
          )}
          {/* A phone has no room for it next to the title; the composer shows it. */}
          <UnenforcedBadge session={session} className="flex max-sm:hidden" />
        </div>
        <div className="flex items-center gap-2 pl-4 text-xs text-faint">
          <span className="shrink-0 text-soft">{name}</span>
          <Dot />
          <StateText session={session} />
          {/* A phone has no room for the path; the sidebar groups sessions by folder. */}
          <Dot className="max-sm:hidden" />
          <Folder path={session.cwd} />
          {session.folders && session.folders.length > 0 && (
            <span className="shrink-0 max-sm:hidden" title={session.folders.join("\n")}>
              +{session.folders.length} {session.folders.length === 1 ? "folder" : "folders"}
            </span>
          )}
          <LaunchLink session={session.id} />
          <GitSummary session={session} plan={git.plan} />
        </div>
      </div>
      <Meters session={session} />
      <div className="flex shrink-0 items-center gap-1 max-sm:ml-auto">
        {git.plan && <GitActions session={session} plan={git.plan} reload={git.reload} />}
        <SessionMenu session={session} />
        <PanelButton session={session} tabs={panelTabs} />
      </div>
    </header>
  );
}

/** The way back to the launch that started the session. */
function LaunchLink({ session }: { session: string }) {
  const found = useLaunchOf(session);
  if (!found) return null;
  const { launch, place } = found;
  return (
    <Link
      href={`/launches/${launch.id}`}
      className="flex min-w-0 shrink items-center gap-1 hover:text-ink pointer-coarse:py-2"
    >
      <Rocket size={12} aria-hidden="true" className="shrink-0" />
      <span className="truncate">
        {place} of {launch.slots.length} in {launch.name}
      </span>
    </Link>
  );
}

function Dot({ className }: { className?: string }) {
  return (
    <span className={className} aria-hidden="true">
      ·
    </span>
  );
}

function Folder({ path }: { path: string }) {
  const { copied, copy } = useCopy(path);
  return (
    <button
      type="button"
      aria-label={copied ? "Copied" : `Copy folder path ${path}`}
      title={`${path} (copy)`}
      onClick={copy}
      className="group flex min-w-20 shrink-[20] items-center max-sm:hidden gap-1 rounded font-mono hover:text-ink"
    >
      {/* A long path is truncated at its start, because its end is more specific. */}
      <span className="truncate" dir="rtl">
        <bdi>{path}</bdi>
      </span>
      {copied ? (
        <Check size={11} className="shrink-0 text-good" />
      ) : (
        <Copy size={11} className="shrink-0 opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100" />
      )}
    </button>
  );
}
