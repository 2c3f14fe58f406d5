import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchJson } from "@gantry/client/node";
import { shortId } from "@gantry/terminal";

/** The shell blocks on completions; give up early. */
const PATIENCE_MS = 700;

type Listed = { id: string };
type Place = { home: string; env: Record<string, string | undefined> };

/** Short ids of sessions that start with the typed text, and `last`. Only `last` without a daemon. */
export async function sessionNames(context: Place, partial: string): Promise<string[]> {
  const { sessions = [] } = await ask<{ sessions?: Listed[] }>(context, "/v1/sessions?limit=50");
  return matchIds(sessions, partial);
}

export async function inputNames(context: Place, partial: string): Promise<string[]> {
  const { inputs = [] } = await ask<{ inputs?: Listed[] }>(context, "/v1/inbox");
  return matchIds(inputs, partial);
}

export async function agentNames(context: Place, partial: string): Promise<string[]> {
  const { agents = [] } = await ask<{ agents?: Listed[] }>(context, "/v1/agents");
  return agents.map(({ id }) => id).filter((id) => id.startsWith(partial));
}

export async function launchNames(context: Place, partial: string): Promise<string[]> {
  const { launches = [] } = await ask<{ launches?: Listed[] }>(context, "/v1/launches");
  return matchIds(launches, partial);
}

export async function serverNames(context: Place, partial: string): Promise<string[]> {
  const { servers = [] } = await ask<{ servers?: { name: string }[] }>(context, "/v1/mcp-servers");
  return servers.map(({ name }) => name).filter((name) => name.startsWith(partial));
}

export async function limitNames(context: Place, partial: string): Promise<string[]> {
  const { limits = [] } = await ask<{ limits?: Listed[] }>(context, "/v1/limits");
  return limits.map(({ id }) => id).filter((id) => id.startsWith(partial));
}

export async function identityNames(context: Place, partial: string): Promise<string[]> {
  const { identities = [] } = await ask<{ identities?: { name: string }[] }>(context, "/v1/identities");
  return identities.map(({ name }) => name).filter((name) => name.startsWith(partial));
}

export async function skillNames(context: Place, partial: string): Promise<string[]> {
  const { skills = [] } = await ask<{ skills?: { name: string }[] }>(context, "/v1/skills");
  return skills.map(({ name }) => name).filter((name) => name.startsWith(partial));
}

export async function scheduleNames(context: Place, partial: string): Promise<string[]> {
  const { schedules = [] } = await ask<{ schedules?: Listed[] }>(context, "/v1/schedules");
  return matchIds(schedules, partial).filter((name) => name !== "last");
}

/** Names of lanes, those of this folder's repository alone. */
export async function laneNames(context: Place, partial: string): Promise<string[]> {
  const path = `/v1/lanes?cwd=${encodeURIComponent(process.cwd())}&archived=all`;
  const { lanes = [] } = await ask<{ lanes?: { name: string; kind: string }[] }>(context, path);
  const names = lanes.filter(({ kind }) => kind !== "primary").map(({ name }) => name);
  return names.filter((name) => name.startsWith(partial));
}

/** Whole ids if the user has typed a prefix such as `ses_`, short ids otherwise. */
function matchIds(listed: readonly Listed[], partial: string): string[] {
  const ids = listed.map(({ id }) => id);
  if (/^(ses|inp|sch|lau)_/.test(partial)) return ids.filter((id) => id.startsWith(partial));
  return ["last", ...ids.map(shortId)].filter((id) => id.startsWith(partial));
}

/** One request without the client, because loading its schemas would take longer. Returns `{}` on failure. */
async function ask<T extends object>({ home, env }: Place, path: string): Promise<Partial<T>> {
  try {
    const own = { url: env.GANTRY_URL, token: env.GANTRY_TOKEN };
    const { url, token } = own.url && own.token ? own : ofHome(home);
    const response = await fetchJson(new URL(path, url), {
      headers: { accept: "application/json", authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return response.ok ? ((await response.json()) as T) : {};
  } catch {
    return {};
  }
}

function ofHome(home: string): { url: string; token: string } {
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  return { url, token: readFileSync(join(home, "token"), "utf8").trim() };
}
