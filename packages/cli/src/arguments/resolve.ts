import type { Client } from "@gantry/client";
import type { InputRequest, RouteQuery, Session } from "@gantry/protocol";
import { firstLine, shortId } from "@gantry/terminal";
import { usageError } from "../program/errors.ts";

type Named = { id: string; title: string };

/**
 * Resolves a name: the whole id, the beginning or end of one, the whole title, or a part of it; the most specific kind of
 * match wins. Throws a usage error with the candidates when several match.
 */
export function pick<T extends Named>(what: string, name: string, all: readonly T[], list: string): T {
  const wanted = name.toLowerCase();
  const tiers: ((one: T) => boolean)[] = [
    (one) => one.id === name,
    (one) => one.title.toLowerCase() === wanted,
    (one) => one.id.slice(wanted.includes("_") ? 0 : 4).startsWith(wanted) || one.id.endsWith(wanted),
    (one) => one.title.toLowerCase().includes(wanted),
  ];
  for (const matches of tiers) {
    const found = all.filter(matches);
    if (found.length === 1) return found[0] as T;
    if (found.length > 1) throw ambiguousNameError(what, name, found);
  }
  throw usageError(`There is no ${what} \`${name}\`.`, `\`${list}\` lists them.`);
}

/** Resolves a session, including archived sessions and those of identities. `last` is the most recently active other session. */
export async function resolveSession(client: Client, name: string): Promise<Session> {
  if (/^ses_.{20,}$/.test(name)) return client.call("getSession", { params: { id: name } });
  const all = { archived: "all", identities: "all" } as const;
  const sessions = await allSessions(client, name === "last" ? {} : all);
  if (name !== "last") return pick("session", name, sessions, "gantry ls");
  const last = sessions.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
  if (!last) throw usageError("There is no session yet.", 'Start one: gantry run -a <agent> "…"');
  return last;
}

/** The pending input that a name stands for: its own, `last` (the newest), or that of a session with only one. */
export async function resolveInput(client: Client, name: string): Promise<InputRequest> {
  const { inputs } = await client.call("inbox", {});
  const newest = inputs.at(-1);
  if (name === "last" && newest) return newest;
  const bySession = inputs.filter((input) => input.session === name || input.session.endsWith(name));
  if (bySession.length === 1 && bySession[0]) return bySession[0];
  if (inputs.length === 0) throw usageError("No request is pending.", "`gantry inbox` lists pending requests.");
  return pick("pending request", name, inputs, "gantry inbox");
}

/** Every session, the newest first; archived ones only where they are asked for. */
export async function allSessions(
  client: Client,
  query: Omit<RouteQuery<"listSessions">, "limit" | "cursor"> = {},
): Promise<Session[]> {
  const sessions: Session[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call("listSessions", { query: { ...query, limit: 500, cursor } });
    sessions.push(...page.sessions);
    cursor = page.nextCursor;
  } while (cursor);
  return sessions;
}

function ambiguousNameError(what: string, name: string, found: readonly Named[]): Error {
  const shown = found.slice(0, 8).map((one) => `  ${shortId(one.id)}  ${firstLine(one.title)}`);
  const rest = found.length > 8 ? [`  … ${found.length - 8} more`] : [];
  return usageError(
    [`\`${name}\` fits ${found.length} ${what}s:`, ...shown, ...rest].join("\n"),
    "Give more of its id.",
  );
}
