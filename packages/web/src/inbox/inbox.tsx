import type { InputRequest } from "@gantry/protocol";
import { Bell, BellOff, InboxIcon } from "lucide-react";
import { useEffect, useMemo } from "react";
import { Link } from "wouter";
import { askForNotifications, notificationState } from "../shell/notifications/notifications.ts";
import { useCell, useCellPart } from "../store/cell.ts";
import { onEvent } from "../store/sessions/feed.ts";
import { type PendingInput, useInbox } from "../store/sessions/hooks.ts";
import { sessionsLoaded } from "../store/sessions/sessions.ts";
import { toast } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Keys } from "../ui/controls/keys.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { batch, canAnswerInBatch, toggleInBatch } from "./batch.ts";
import { BatchBar, SelectAll } from "./batch-bar.tsx";
import { InputCard } from "./input-card.tsx";
import { compareInputs } from "./input-order.ts";
import { answeredElsewhereText } from "./resolution.ts";
import { wasAnsweredHere } from "./use-answer.ts";
import { inboxKeys, useInboxKeys } from "./use-inbox-keys.ts";

/** The pending inputs of all sessions, oldest first. */
export default function Inbox() {
  const pending = useOldestFirst();
  const loaded = useCell(sessionsLoaded);
  const list = useInboxKeys(pending);
  useAnsweredElsewhere(pending);
  return (
    <section aria-label="Inbox" className="flex min-h-0 grow flex-col">
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-3 border-b border-line px-5 py-1.5 max-sm:px-3">
        <h1 className="text-base font-semibold">Inbox</h1>
        <span className="grow text-soft">{pending.length > 0 && `${pending.length} pending`}</span>
        {pending.length > 1 && <SelectAll pending={pending} />}
        <NotifyButton />
      </header>
      <div ref={list} className="min-h-0 grow overflow-y-auto p-5 max-sm:p-3">
        <ul className="mx-auto flex max-w-4xl flex-col gap-4">
          {pending.map(({ input, session }) => (
            <li key={input.id}>
              <InputCard
                input={input}
                from={
                  <From
                    input={input}
                    id={session.id}
                    title={session.title}
                    selectable={pending.length > 1 && canAnswerInBatch(input)}
                  />
                }
              />
            </li>
          ))}
        </ul>
        {loaded && pending.length === 0 && <Nothing />}
      </div>
      <BatchBar pending={pending} />
      {pending.length > 0 && <KeyLegend />}
    </section>
  );
}

function useOldestFirst(): PendingInput[] {
  const pending = useInbox();
  return useMemo(() => pending.toSorted((a, b) => compareInputs(a.input, b.input)), [pending]);
}

/** Shows a toast when a visible input is answered by another client. */
function useAnsweredElsewhere(pending: readonly PendingInput[]): void {
  useEffect(
    () =>
      onEvent((event) => {
        if (event.type !== "input.resolved" || wasAnsweredHere(event.data.id)) return;
        const shown = pending.find(({ input }) => input.id === event.data.id);
        if (shown) toast({ tone: "info", text: answeredElsewhereText(event.data), remedy: shown.input.title });
      }),
    [pending],
  );
}

type FromProps = { input: InputRequest; id: string; title: string; selectable: boolean };

/** The session of a request, its age, and a checkbox for batch answers. */
function From({ input, id, title, selectable }: FromProps) {
  const selected = useCellPart(batch, (all) => all.has(input.id));
  return (
    <div className="flex items-center gap-2 border-b border-line bg-page px-3 py-1 text-xs">
      {selectable && (
        <label className="grid place-items-center">
          <input
            type="checkbox"
            data-do="select"
            aria-label={`Select ${input.title}`}
            checked={selected}
            onChange={() => toggleInBatch(input.id)}
            className="pointer-coarse:size-5"
          />
        </label>
      )}
      <Link
        href={`/s/${id}`}
        data-do="open"
        className="min-w-0 grow truncate text-soft hover:text-ink hover:underline pointer-coarse:py-3"
      >
        {title}
      </Link>
      {input.requestedAt && (
        <span className="shrink-0 text-faint">
          asked <Ago at={input.requestedAt} phrase />
        </span>
      )}
    </div>
  );
}

function Nothing() {
  return (
    <Empty title="Nothing needs you" icon={<InboxIcon size={28} strokeWidth={1.5} />}>
      <p>
        Requests from all sessions appear here: commands to run, files to change, questions to answer. The session's
        mode decides how often an agent asks: <b className="font-medium">Ask</b> for every action,{" "}
        <b className="font-medium">Full-auto</b> never.
      </p>
    </Empty>
  );
}

function NotifyButton() {
  const state = useCell(notificationState);
  if (state === "unsupported" || state === "on") return null;
  if (state === "blocked")
    return (
      <span className="flex items-center gap-1.5 text-xs text-faint">
        <BellOff size={14} /> Notifications are blocked in your browser's settings for this page
      </span>
    );
  return (
    <Button icon={<Bell size={14} />} onClick={() => void askForNotifications()}>
      Turn on notifications
    </Button>
  );
}

function KeyLegend() {
  return (
    <footer className="flex shrink-0 flex-wrap gap-x-4 gap-y-1 border-t border-line px-5 py-1.5 text-xs text-faint pointer-coarse:hidden">
      {inboxKeys.map(({ keys, label }) => (
        <span key={keys} className="inline-flex items-center gap-1.5">
          <Keys keys={keys} /> {label}
        </span>
      ))}
    </footer>
  );
}
