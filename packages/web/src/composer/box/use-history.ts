import type { Envelope } from "@gantry/protocol";
import { useCallback, useEffect, useRef } from "react";
import { client } from "../../store/connection/client.ts";
import { onEvent } from "../../store/sessions/feed.ts";
import { historyOf } from "./history.ts";

/** How many events are searched for earlier messages. */
const TAIL = 1000;

/** The messages sent to a session, oldest first. Read from its log on first use, then updated with each message. */
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
    texts.current ??= client.sessions.events(session, { tail: TAIL }).then(({ events }) => events.flatMap(userText));
    try {
      return historyOf(await texts.current);
    } catch {
      // The daemon is unreachable: the next key press tries again.
      texts.current = undefined;
      return [];
    }
  }, [session]);
}

function userText(event: Envelope): string[] {
  return event.type === "message.user" ? [event.data.text] : [];
}
