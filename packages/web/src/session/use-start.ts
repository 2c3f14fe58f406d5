import type { Session } from "@gantry/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { storeSession } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";

/** Creates a session and opens it. `starting` is true until then. A failure is shown as a toast and may be retried. */
export function useStart(create: () => Promise<Session>): { starting: boolean; start: () => void } {
  const [, go] = useLocation();
  const [starting, setStarting] = useState(false);
  const start = async () => {
    setStarting(true);
    try {
      const session = await create();
      storeSession(session);
      go(`/s/${session.id}`);
    } catch (error) {
      toastError(error);
      setStarting(false);
    }
  };
  return { starting, start: () => void start() };
}
