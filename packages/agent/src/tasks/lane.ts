import { setTimeout as sleep } from "node:timers/promises";
import { once } from "@gantry/models";
import { z } from "zod";
import { ToolError } from "../contract/tool.ts";

/** The daemon that started this agent, with the token of its session. */
export type Daemon = { url: string; token: string };

/** A folder with a dedicated branch that people can review, compare and land. Managed by the daemon. */
export type Lane = { id: string; name: string; path: string; branch: string | undefined };

const laneSchema = once(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    path: z.string(),
    branch: z.string().optional(),
    state: z.string(),
    changes: z.number(),
    ahead: z.number(),
    missing: z.array(z.string()),
  }),
);
type LaneResponse = z.infer<ReturnType<typeof laneSchema>>;

const errorSchema = once(() => z.object({ error: z.object({ message: z.string() }) }));
const POLL_MS = 100;

/** The daemon of the session, if there is one. */
export function daemonOf({ GANTRY_URL, GANTRY_TOKEN }: Record<string, string | undefined>): Daemon | undefined {
  return GANTRY_URL && GANTRY_TOKEN ? { url: GANTRY_URL, token: GANTRY_TOKEN } : undefined;
}

/** Creates a lane of the folder's repository, from the last commit. Throws a `ToolError` with the daemon's message. */
export async function makeLane(daemon: Daemon, cwd: string, name: string, signal: AbortSignal): Promise<Lane> {
  let lane = await call(daemon, "POST", "/v1/lanes", { cwd, name }, signal);
  while (lane.state === "creating") {
    await sleep(POLL_MS, undefined, { signal });
    lane = await call(daemon, "GET", `/v1/lanes/${lane.id}`, undefined, signal);
  }
  if (lane.state !== "ready") throw new ToolError(`The lane was not created: ${lane.missing.join(" ") || lane.state}`);
  return { id: lane.id, name: lane.name, path: lane.path, branch: lane.branch };
}

/** Describes the changes in the lane. If the daemon does not answer, only the path is given. */
export async function describeLane(daemon: Daemon, lane: Lane, signal: AbortSignal): Promise<string> {
  const now = await call(daemon, "GET", `/v1/lanes/${lane.id}`, undefined, signal).catch(() => undefined);
  const branch = lane.branch ? ` (branch ${lane.branch})` : "";
  const where = `It worked in the lane ${lane.name}${branch}`;
  if (!now) return `${where}: ${lane.path}`;
  const what = [countText(now.changes, "changed file"), countText(now.ahead, "commit")].filter(Boolean).join(" and ");
  return `${where}, which holds ${what || "no changes"}: ${lane.path}`;
}

function countText(count: number, what: string): string {
  return count === 0 ? "" : `${count} ${what}${count === 1 ? "" : "s"}`;
}

async function call(
  { url, token }: Daemon,
  method: string,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<LaneResponse> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(new URL(path, url), {
    method,
    headers,
    signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    signal.throwIfAborted();
    throw new ToolError(`The daemon cannot be reached: ${error.message}`);
  });
  const reply: unknown = await response.json().catch(() => undefined);
  const lane = laneSchema().safeParse(reply);
  if (response.ok && lane.success) return lane.data;
  const refusal = errorSchema().safeParse(reply);
  throw new ToolError(refusal.success ? refusal.data.error.message : `The daemon answered ${response.status}.`);
}
