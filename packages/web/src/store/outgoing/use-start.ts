import type { Session } from "@gantry/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { storeSession } from "../sessions/sessions.ts";
import { toastError } from "../toasts.ts";

type Start<A extends unknown[]> = { starting: boolean; start: (...args: A) => void };

/** Creates a session and opens it. `starting` is true until then. A failure is shown as a toast and may be retried. */
export function useStart<A extends unknown[]>(create: (...args: A) => Promise<Session>): Start<A> {
  const [, go] = useLocation();
  const [starting, setStarting] = useState(false);
  const start = async (...args: A) => {
    setStarting(true);
    try {
      const session = await create(...args);
      storeSession(session);
      go(`/s/${session.id}`);
    } catch (error) {
      toastError(error);
      setStarting(false);
    }
  };
  return { starting, start: (...args) => void start(...args) };
}
