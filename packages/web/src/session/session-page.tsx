import { GantryError } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { Composer } from "../composer/composer.tsx";
import { findPendingCard, useAnswerKeys } from "../inbox/answer-keys.ts";
import { showTab } from "../panel/panel-state.ts";
import { panelTabs } from "../panel/panel-tabs.tsx";
import { SessionPanel } from "../panel/session-panel.tsx";
import { useIsSheet, usePanel } from "../panel/use-panel.ts";
import { showTarget } from "../preview/use-preview.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { firstPaint } from "../store/first-paint.ts";
import { outbox } from "../store/outgoing/outbox.ts";
import { useSession } from "../store/sessions/hooks.ts";
import { loadSession } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { enterPast, readSeq, useIsPast } from "../time-travel/past-address.ts";
import { Transcript } from "../transcript/transcript.tsx";
import { TrustBanner } from "../trust/trust-banner.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";
import { SessionHeader } from "./session-header.tsx";

const TimeTravel = lazyView(() => import("../time-travel/time-travel.tsx"));
const PRELOAD_MS = 500;

/** One session: header, transcript, composer and panel. */
export default function SessionPage({ id }: { id: string }) {
  const session = useSession(id);
  const { error, retry } = useSessionLoader(id, session !== undefined);
  const isSheet = useIsSheet();
  const isCovered = usePanel(id).open && isSheet;
  usePreviewLinks(id);
  const isPast = useIsPast();
  useShortcuts(
    isPast ? [] : [{ keys: "t", does: "Time travel", run: () => enterPast(id, readSeq() ?? session?.lastSeq ?? 1) }],
  );
  useAnswerKeys(() => findPendingCard(), (session?.inputs.length ?? 0) > 0);
  usePreloadedPanel();
  useWarmUp(id, session !== undefined && !session.ended);
  const isPending = useCell(outbox).some((outgoing) => outgoing.kind === "create" && outgoing.id === id);
  if (!session && isPending) return <PendingSession />;
  if (!session) return <NotLoaded error={error} onRetry={retry} />;
  return (
    <div className="flex min-h-0 grow">
      <section aria-label={session.title} inert={isCovered} className="@container flex min-w-0 grow flex-col">
        <SessionHeader key={id} session={session} />
        <TrustBanner folder={session.cwd} of={session.lane === undefined ? "session" : "lane"} />
        {isPast ? (
          <TimeTravel session={session} />
        ) : (
          <>
            <Transcript session={id} />
            <Composer session={id} />
          </>
        )}
      </section>
      <SessionPanel session={session} tabs={panelTabs} />
    </div>
  );
}

/** Loads a session that the store does not have yet. `error` if it does not exist or cannot be loaded. */
function useSessionLoader(id: string, known: boolean) {
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again.
  useEffect(() => {
    if (known) return;
    let mounted = true;
    setError(undefined);
    loadSession(id).catch((reason: unknown) => mounted && setError(reason));
    return () => {
      mounted = false;
    };
  }, [id, known, attempt]);
  return { error, retry: () => setAttempt((count) => count + 1) };
}

/** Lets the daemon start the agent before the first message, if that setting is on. A failure shows with the message. */
function useWarmUp(id: string, canRun: boolean): void {
  useEffect(() => {
    if (canRun) void firstPaint.then(() => client.sessions.warmUp(id)).catch(() => undefined);
  }, [id, canRun]);
}

/** Loads the code of the changes while the page is idle, so that the panel opens at once. */
function usePreloadedPanel(): void {
  useEffect(() => {
    void firstPaint.then(() =>
      setTimeout(() => import("../review/review-view.tsx").catch(() => undefined), PRELOAD_MS),
    );
  }, []);
}

/** Opens links to a dev server in the preview next to the session. */
function usePreviewLinks(current: string): void {
  useEffect(() => {
    const open = (event: Event) => {
      const { session = current, url } = (event as CustomEvent<{ session?: string; url: string }>).detail;
      showTab(session, "preview");
      showTarget(session, url).catch(toastError);
    };
    addEventListener("gantry:preview", open);
    return () => removeEventListener("gantry:preview", open);
  }, [current]);
}

function PendingSession() {
  return (
    <Empty title="The session starts when the daemon is back">
      <p>Your message is saved in this browser and will be sent once.</p>
    </Empty>
  );
}

function NotLoaded({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === undefined) return <p className="m-auto text-faint">Opening the session…</p>;
  const gone = error instanceof GantryError && (error.code === "no_such_session" || error.code === "not_found");
  if (gone)
    return (
      <Empty title="Session not found">
        <p>It was deleted, or the address is incomplete. Deleted sessions cannot be restored.</p>
        <Link href="/" className="text-accent underline">
          Go to the board
        </Link>
      </Empty>
    );
  return (
    <Empty title="The session could not be opened">
      <p>{error instanceof Error ? error.message : String(error)} Nothing was lost.</p>
      <Button onClick={onRetry}>Try again</Button>
    </Empty>
  );
}
