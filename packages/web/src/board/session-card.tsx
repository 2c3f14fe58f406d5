import { lastActivity, type SessionStatus, type SessionView, sessionStatus } from "@gantry/protocol";
import { Ellipsis, FolderGit2, Layers } from "lucide-react";
import { memo } from "react";
import { QuickAnswer } from "../inbox/quick-answer.tsx";
import { HoldActions } from "../limits/hold-actions.tsx";
import { useCellPart } from "../store/cell.ts";
import { classes } from "../ui/classes.ts";
import { openContextMenu } from "../ui/controls/context-menu.tsx";
import { Menu } from "../ui/controls/menu.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { formatDollars } from "../ui/display/format.ts";
import { SessionLink } from "../ui/display/session-link.tsx";
import { StatusDot } from "../ui/display/state-dot.tsx";
import { folderName } from "./filters.ts";
import { selection, toggleSelected } from "./selection.ts";
import { useCardMenu } from "./use-card-menu.tsx";

type SessionCardProps = { session: SessionView; unread: boolean; agent: string };

export const CARD =
  "group relative flex flex-col gap-1 rounded-lg border bg-surface px-3 py-2 shadow-[0_1px_1px_rgb(0_0_0/0.03)] hover:border-line-strong has-[a:focus-visible]:border-accent";

/** One session on the board. Memoized: it renders again only when the session changes. */
export const SessionCard = memo(function SessionCard({ session, unread, agent }: SessionCardProps) {
  const status = sessionStatus(session);
  const menu = useCardMenu(session);
  const selected = useCellPart(selection, (all) => all.has(session.id));
  return (
    <article
      onContextMenu={(event) => openContextMenu(event, session.title, menu)}
      className={classes(CARD, selected ? "border-accent bg-accent-wash" : "border-line")}
    >
      <div className="flex items-baseline gap-2">
        <span className="flex shrink-0 self-center">
          <StatusDot status={status} />
        </span>
        <h3 className="min-w-0 grow">
          <SessionLink
            id={session.id}
            data-card={session.id}
            onClick={(event) => {
              if (!event.shiftKey) return;
              event.preventDefault();
              toggleSelected(session.id);
            }}
            className={classes(
              "block truncate outline-none after:absolute after:inset-0",
              unread ? "font-semibold" : "font-medium",
            )}
          >
            {session.title}
          </SessionLink>
        </h3>
        {unread && (
          <span
            role="img"
            aria-label="Unread"
            title="Unread"
            className="size-1.5 shrink-0 self-center rounded-full bg-accent-fill"
          />
        )}
        <Ago
          at={lastActivity(session).at}
          className="shrink-0 text-2xs text-faint tabular-nums pointer-fine:group-focus-within:invisible pointer-fine:group-hover:invisible"
        />
        <Menu
          label={`Actions for ${session.title}`}
          icon={<Ellipsis size={14} />}
          entries={menu}
          className="-my-1 -mr-1.5 h-5 self-center pointer-coarse:relative pointer-fine:absolute pointer-fine:top-3 pointer-fine:right-3 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100"
        />
      </div>
      <p className="truncate text-2xs text-faint">
        {[agent, session.servedModel ?? session.model, session.modeApplied ?? session.mode].filter(Boolean).join(" · ")}
      </p>
      <LastLine session={session} status={status} />
      <Reason session={session} status={status} />
      <Footer session={session} />
    </article>
  );
});

function LastLine({ session: { last, inputs }, status }: { session: SessionView; status: SessionStatus }) {
  // The request, the failure or the limit is shown right below.
  const isReason = last?.kind === "error" && (status.failed || status.group === "held");
  if (!last || inputs[0]?.title === last.text || isReason) return null;
  return (
    <p className={classes("line-clamp-2 text-xs wrap-break-word", last.kind === "error" ? "text-bad" : "text-soft")}>
      {last.kind === "user" && <span className="text-faint">You: </span>}
      <span className={last.kind === "tool" ? "font-mono text-2xs" : undefined}>{last.text}</span>
    </p>
  );
}

/** Why the session is in its column, and what can be done about it here. */
export function Reason({ session, status }: { session: SessionView; status: SessionStatus }) {
  const [input, ...others] = session.inputs;
  const { group, detail, failed } = status;
  if (group !== "needs_you" && group !== "held") return null;
  return (
    <div
      className={classes(
        "flex flex-col gap-1.5 rounded px-2 py-1.5 text-xs",
        failed ? "bg-bad-wash text-bad" : group === "held" ? "bg-sunken text-soft" : "bg-need-wash text-need",
      )}
    >
      <p className="line-clamp-3 wrap-break-word">
        {failed ? `Failed: ${detail ?? "the turn did not finish"}` : detail}
        {others.length > 0 && ` (and ${others.length} more)`}
      </p>
      {input?.tool?.command !== undefined && (
        <code className="line-clamp-3 font-mono text-2xs wrap-anywhere text-ink">$ {input.tool.command}</code>
      )}
      {input && <QuickAnswer key={input.id} input={input} showKeys={others.length === 0} />}
      {group === "held" && <HoldActions session={session.id} status={status} />}
    </div>
  );
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
