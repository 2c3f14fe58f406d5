import type { Client } from "@gantry/client";

/**
 * The caller. The daemon decides every right; this only selects which tools are listed. `decides`: the owner's set-up grants
 * the client to answer inputs and to land lanes.
 */
export type Caller = { kind: "owner"; decides: boolean } | { kind: "session"; id: string };

/** One MCP connection or request, with a client that has the caller's credential. */
export type Coordinator = {
  client: Client;
  caller: Caller;
  version: string;
  /** The default folder of an owner's new sessions. */
  cwd?: string;
};

const SESSION_TOKEN = /^gss_[A-Za-z0-9_-]{43}\.(ses_\S{1,200})$/;

/** Reads the kind of caller off its credential. A forged session id gains nothing: the daemon checks the whole token. */
export function callerOf(token: string | undefined, decides: boolean): Caller {
  const [, id] = SESSION_TOKEN.exec(token ?? "") ?? [];
  return id === undefined ? { kind: "owner", decides } : { kind: "session", id };
}

/** Whether the tools that need a grant are listed. Asks the daemon, because a person can give and revoke the grant any time. */
export async function mayDecide({ client, caller }: Coordinator): Promise<boolean> {
  if (caller.kind === "owner") return caller.decides;
  const session = await client.sessions.get(caller.id).catch(() => undefined);
  return session?.lead === true;
}
