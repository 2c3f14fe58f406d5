import type { Envelope } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { onEvent } from "../../store/sessions/feed.ts";
import { sessionCell } from "../../store/sessions/sessions.ts";
import { announcementOf, joinAnnouncements } from "./announcement.ts";

/** A screen reader starts again with every change, so changes are this far apart. */
const THROTTLE_MS = 2000;

/** Reads new messages out to screen readers. The transcript itself is not live: it changes with every streamed word. */
export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    let waiting: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = waiting.length > 0 ? setTimeout(flush, THROTTLE_MS) : undefined;
      setText(joinAnnouncements(waiting));
      waiting = [];
    };
    const stop = onEvent((event) => {
      const announcement = announce(event);
      if (!announcement) return;
      waiting.push(announcement);
      // The first one waits a moment: a request that a grant answers is settled at once.
      timer ??= setTimeout(flush, THROTTLE_MS / 4);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  return (
    <div role="status" aria-label="Announcements" aria-live="polite" aria-atomic="true" className="sr-only">
      {text}
    </div>
  );
}

function announce(event: Envelope): string | undefined {
  const session = sessionCell(event.session).get();
  if (!session) return undefined;
  const [, opened = ""] = /^\/s\/([^/]+)$/.exec(location.pathname) ?? [];
  return announcementOf(event, session, opened.split("+").includes(session.id));
}
