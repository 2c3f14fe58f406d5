import { GantryError } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { Composer } from "../composer/composer.tsx";
import { togglePreview } from "../preview/preview-memory.ts";
import { SessionPreview } from "../preview/session-preview.tsx";
import { showTarget } from "../preview/use-preview.ts";
import { useCell } from "../store/cell.ts";
import { useSession } from "../store/hooks.ts";
import { outbox } from "../store/outbox.ts";
import { loadSession } from "../store/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { TerminalDrawer } from "../terminal/terminal-drawer.tsx";
import { Transcript } from "../transcript/transcript.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { SessionHeader } from "./session-header.tsx";

/** One session: what happened, and where to go on. */
export default function SessionPage({ id }: { id: string }) {
  const session = useSession(id);
  const { error, retry } = useLoaded(id, session !== undefined);
  usePreviewLinks();
  const coming = useCell(outbox).some((outgoing) => outgoing.kind === "create" && outgoing.id === id);
  if (!session && coming) return <Coming />;
  if (!session) return <NotHere error={error} onRetry={retry} />;
  return (
    <div className="flex min-h-0 grow">
      <section aria-label={session.title} className="@container flex min-w-0 grow flex-col">
        <SessionHeader session={session} />
        <Transcript session={id} />
        <Composer session={id} />
        <TerminalDrawer session={id} />
      </section>
      <SessionPreview session={id} />
    </div>
  );
}

/** Asks for a session that is not among those the page knows; `error` when there is none, or none can be asked for. */
function useLoaded(id: string, known: boolean) {
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks again.
  useEffect(() => {
    if (known) return;
    let wanted = true;
    setError(undefined);
    loadSession(id).catch((reason: unknown) => wanted && setError(reason));
    return () => {
      wanted = false;
    };
  }, [id, known, attempt]);
  return { error, retry: () => setAttempt((count) => count + 1) };
}

/** A link to a dev server in what an agent says opens it beside the session. */
function usePreviewLinks(): void {
  useEffect(() => {
    const open = (event: Event) => {
      const { session, url } = (event as CustomEvent<{ session: string; url: string }>).detail;
      togglePreview(session, true);
      showTarget(session, url).catch(toastError);
    };
    addEventListener("gantry:preview", open);
    return () => removeEventListener("gantry:preview", open);
  }, []);
}

function Coming() {
  return (
    <Empty title="The session begins as soon as the daemon answers">
      <p>What you wrote is kept in this browser and is sent once.</p>
    </Empty>
  );
}

function NotHere({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === undefined) return <p className="m-auto text-faint">Opening the session …</p>;
  const gone = error instanceof GantryError && (error.code === "no_such_session" || error.code === "not_found");
  if (gone)
    return (
      <Empty title="There is no such session">
        <p>It was deleted, or the address is not complete. Deleted sessions cannot be brought back.</p>
        <Link href="/" className="text-accent underline">
          Go to the board
        </Link>
      </Empty>
    );
  return (
    <Empty title="The session cannot be opened right now">
      <p>{error instanceof Error ? error.message : String(error)} Nothing of it is lost.</p>
      <Button onClick={onRetry}>Try again</Button>
    </Empty>
  );
}
