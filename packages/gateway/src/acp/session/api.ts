import type { Client } from "@gantry/client";
import { type Recover, retry } from "../requests/retry.ts";

/** The daemon's API for one connection, with the rights of its caller. */
export type Api = {
  client: Client;
  /** Starts the daemon again if it is not running. Absent: the connection ends with the daemon. */
  recover?: Recover;
  /** Writes a line about a problem. It has no secret. */
  report(line: string): void;
  /** Aborted when the connection ends. */
  signal: AbortSignal;
};

/** An idempotent call that outlives a restart of the daemon. */
export function callApi<T>(api: Api, call: (client: Client) => Promise<T>): Promise<T> {
  return retry(() => call(api.client), api.recover, api.signal);
}
