import type { SessionView } from "@gantry/protocol";
import { Archive, FolderGit2, Layers } from "lucide-react";
import { memo } from "react";
import { limitTitle } from "../limits/limit-text.ts";
import { archiveSession } from "../store/sessions/archive.ts";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { formatDollars } from "../ui/display/format.ts";
import { SessionLink } from "../ui/display/session-link.tsx";
import { StateDot } from "../ui/display/state-dot.tsx";
import { folderName } from "./filters.ts";

type SessionCardProps = { session: SessionView; unread: boolean; agent: string };

/** One session on the board. Memoized: it renders again only when the session changes. */
export const SessionCard = memo(function SessionCard({ session, unread, agent }: SessionCardProps) {
  return (
    <article className="group relative flex flex-col gap-1 rounded-lg border border-line bg-surface px-3 py-2 shadow-[0_1px_1px_rgb(0_0_0/0.03)] hover:border-line-strong has-[a:focus-visible]:border-accent">
      <div className="flex items-baseline gap-2">
        <span className="flex self-center">
          <StateDot session={session} />
        </span>
        <h3 className="min-w-0 grow">
          <SessionLink
            id={session.id}
            data-card={session.id}
            className={classes(
              "block truncate outline-none after:absolute after:inset-0",
              unread ? "font-semibold" : "font-medium",
            )}
          >
            {session.title}
          </SessionLink>
        </h3>
        {unread && (
          <span role="img" aria-label="Unread" title="Unread" className="size-1.5 rounded-full bg-accent-fill" />
        )}
        <Ago at={session.turn?.startedAt ?? session.updatedAt} className="text-2xs text-faint tabular-nums" />
      </div>
      <p className="truncate text-2xs text-faint">
        {[agent, session.servedModel ?? session.model, session.modeApplied ?? session.mode].filter(Boolean).join(" · ")}
      </p>
      <LastLine session={session} />
      <HoldReason session={session} />
      <Footer session={session} />
      <Button
        look="plain"
        tabIndex={-1}
        label={session.archived ? "Unarchive" : "Archive"}
        icon={<Archive size={13} />}
        onClick={() => archiveSession(session, !session.archived)}
        className="invisible absolute top-1.5 right-1.5 group-hover:visible"
      />
    </article>
  );
});

function LastLine({ session: { last, inputs } }: { session: SessionView }) {
  // The request is shown right below.
  if (!last || inputs[0]?.title === last.text) return null;
  return (
    <p className={classes("line-clamp-2 text-xs wrap-break-word", last.kind === "error" ? "text-bad" : "text-soft")}>
      {last.kind === "user" && <span className="text-faint">You: </span>}
      <span className={last.kind === "tool" ? "font-mono text-2xs" : undefined}>{last.text}</span>
    </p>
  );
}

/** Why the session does not continue: a pending request, a stall or a limit. */
function HoldReason({ session }: { session: SessionView }) {
  const reason = holdReason(session);
  if (!reason) return null;
  return (
    <p
      className={classes(
        "line-clamp-2 rounded px-2 py-1 text-xs wrap-break-word",
        reason.tone === "need" ? "bg-need-wash text-need" : "bg-sunken text-soft",
      )}
    >
      {reason.text}
    </p>
  );
}

function holdReason({
  inputs,
  stalled,
  limit,
  turn,
}: SessionView): { tone: "need" | "plain"; text: string } | undefined {
  const [first, ...more] = inputs;
  if (first) return { tone: "need", text: more.length > 0 ? `${first.title} (and ${more.length} more)` : first.title };
  if (stalled) return { tone: "plain", text: `Stalled: ${stalled.reason}` };
  return limit && !turn ? { tone: "plain", text: limitTitle(limit) } : undefined;
}

function Footer({ session }: { session: SessionView }) {
  const { cwd, queue, queueState, cost } = session;
  return (
    <div className="flex items-center gap-3 text-2xs text-faint">
      <span title={cwd} className="flex min-w-0 grow items-center gap-1">
        <FolderGit2 size={11} className="shrink-0" />
        <span className="truncate">{folderName(cwd)}</span>
      </span>
      {queue.length > 0 && (
        <span title="Queued messages" className="flex shrink-0 items-center gap-1">
          <Layers size={11} />
          {queue.length} {queueState === "paused" ? "paused" : "queued"}
        </span>
      )}
      {cost && cost.usd > 0 && (
        <span title={`$${cost.usd.toFixed(4)}`} className="shrink-0 tabular-nums">
          {formatDollars(cost.usd)}
        </span>
      )}
    </div>
  );
}
