import type { Envelope } from "@gantry/protocol";
import { useCallback, useEffect, useRef } from "react";
import { client } from "../../store/client.ts";
import { onEvent } from "../../store/feed.ts";
import { historyOf } from "./history.ts";

/** How far back earlier messages are looked for. */
const TAIL = 1000;

/** What was sent to a session before, oldest first: read from its log when it is first asked for, followed from then on. */
export function useHistory(session: string): () => Promise<readonly string[]> {
  const texts = useRef<Promise<string[]>>(undefined);
  useEffect(
    () =>
      onEvent((event) => {
        if (event.session !== session || event.type !== "message.user") return;
        texts.current = texts.current?.then((list) => [...list, event.data.text]);
      }),
    [session],
  );
  return useCallback(async () => {
    texts.current ??= client.sessions.events(session, { tail: TAIL }).then(({ events }) => events.flatMap(said));
    try {
      return historyOf(await texts.current);
    } catch {
      // The daemon is away: the next key asks again.
      texts.current = undefined;
      return [];
    }
  }, [session]);
}

function said(event: Envelope): string[] {
  return event.type === "message.user" ? [event.data.text] : [];
}
