import type { DevServer } from "@gantry/protocol";
import { useEffect } from "react";
import { client } from "../store/connection/client.ts";
import { useQuery } from "../ui/load/use-query.ts";

const POLL_MS = 4000;
const NONE: readonly DevServer[] = [];

/** The servers that the session's processes run, found again every few seconds while `active`. */
export function useServers(session: string, active: boolean): readonly DevServer[] {
  const { value, reload } = useQuery(session, () => client.previews.servers(session));
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => !document.hidden && reload(), POLL_MS);
    return () => clearInterval(timer);
  }, [active, reload]);
  return value ?? NONE;
}
