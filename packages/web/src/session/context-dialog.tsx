import type { ContextPart, SessionView } from "@gantry/protocol";
import { useEffect } from "react";
import { client } from "../store/connection/client.ts";
import { useSession } from "../store/sessions/hooks.ts";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { formatCount, formatExact } from "../ui/display/format.ts";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";

/** What fills the agent's context. Asks the agent when it opens, because it may count tokens at its provider for it. */
export function ContextDialog({ session: { id }, onClose }: { session: SessionView; onClose: () => void }) {
  const context = useSession(id)?.context;
  const { attempt, busy, problem } = useAttempt();
  const ask = () => attempt(() => client.sessions.requestContext(id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens.
  useEffect(ask, [id]);
  const parts = context?.parts;
  return (
    <Dialog
      title="Context"
      onClose={onClose}
      footer={
        <Button disabled={busy} onClick={ask}>
          Refresh
        </Button>
      }
    >
      {context ? (
        <p className="pb-3 text-soft">
          {formatExact(context.used)} {context.size ? `of ${formatExact(context.size)} ` : ""}tokens used
        </p>
      ) : (
        <p className="pb-3 text-faint">The agent has not reported its context yet.</p>
      )}
      {parts && <Parts parts={parts} size={context?.size} />}
      {!parts && problem === undefined && <p className="text-faint">Waiting for the agent…</p>}
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

const notes: Partial<Record<ContextPart["kind"], string>> = {
  deferred: "loaded when needed",
  buffer: "reserved for compaction",
};

function Parts({ parts, size }: { parts: readonly ContextPart[]; size: number | undefined }) {
  const whole = size ?? parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const widest = Math.max(1, ...parts.map(({ kind, tokens }) => (kind === "free" ? 0 : tokens)));
  return (
    <ul aria-label="Parts of the context" className="flex flex-col gap-2">
      {parts.map((part) => (
        <li key={part.name}>
          <div className="flex items-baseline gap-2">
            <span className="min-w-0 grow truncate">
              {part.name}
              {notes[part.kind] && <span className="text-xs text-faint"> {notes[part.kind]}</span>}
            </span>
            <span className="shrink-0 text-soft tabular-nums" title={`${formatExact(part.tokens)} tokens`}>
              {formatCount(part.tokens)}
            </span>
            <span className="w-12 shrink-0 text-right text-xs text-faint tabular-nums">
              {formatShare(part.tokens / Math.max(whole, 1))}
            </span>
          </div>
          {part.kind !== "free" && (
            <span aria-hidden="true" className="mt-1 block h-1 overflow-hidden rounded-full bg-sunken">
              <span
                style={{ width: `${(part.tokens / widest) * 100}%` }}
                className={classes(
                  "block h-full rounded-full",
                  part.kind === "used" ? "bg-accent-fill" : "bg-line-strong",
                )}
              />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function formatShare(share: number): string {
  return share > 0 && share < 0.01 ? "<1%" : `${Math.round(share * 100)}%`;
}
