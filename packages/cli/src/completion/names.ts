import type { Client } from "@gantry/client";
import { connectIfRunning } from "../daemon/connect.ts";
import { shortId } from "../render/names.ts";

/** A shell waits for these: better none than late. */
const PATIENCE_MS = 700;

/** Short ids of sessions that begin with what is typed, and `last`. Without a daemon there is only that. */
export async function sessionNames(home: string, partial: string): Promise<string[]> {
  const ids = await ask(home, async (client) => {
    const { sessions } = await client.call("listSessions", { query: { limit: 50 } });
    return sessions.map((session) => session.id);
  });
  return fitting(ids, partial);
}

export async function inputNames(home: string, partial: string): Promise<string[]> {
  const ids = await ask(home, async (client) => (await client.call("inbox", {})).inputs.map((input) => input.id));
  return fitting(ids, partial);
}

export async function agentNames(home: string, partial: string): Promise<string[]> {
  const ids = await ask(home, async (client) =>
    (await client.call("listAgents", { query: {} })).agents.map((agent) => agent.id),
  );
  return ids.filter((id) => id.startsWith(partial));
}

/** Whole ids where the person has begun to type one, short ones otherwise. */
function fitting(ids: readonly string[], partial: string): string[] {
  if (/^(ses|inp)_/.test(partial)) return ids.filter((id) => id.startsWith(partial));
  return ["last", ...ids.map(shortId)].filter((id) => id.startsWith(partial));
}

async function ask(home: string, work: (client: Client) => Promise<string[]>): Promise<string[]> {
  const late = new Promise<string[]>((resolve) => setTimeout(resolve, PATIENCE_MS, []).unref());
  const names = async () => {
    const found = await connectIfRunning(home);
    return found ? work(found.client) : [];
  };
  return Promise.race([names().catch(() => []), late]);
}
