import { type Client, createClient } from "@gantry/client";
import { fetchJson } from "@gantry/client/node";
import { connect } from "../../daemon/connect.ts";
import { type Daemon, findDaemon, ownDaemon, readDiscovery } from "../../daemon/find.ts";
import { startInBackground } from "../../daemon/start.ts";
import type { Context } from "../../program/context.ts";
import { environmentError } from "../../program/errors.ts";
import { findSessionToken } from "./session-token.ts";

type Offer = "off" | "leads" | "all";

export type McpFlags = { lead: boolean; session?: string; offer?: Offer };

/** Serves the coordinator until the client closes stdin. Only the protocol is written to stdout. */
export default async function mcp(this: Context, { lead, session, offer }: McpFlags): Promise<void> {
  if (offer !== undefined) return changeOffer(this, offer);
  const own = session === undefined ? ownDaemon(this.env) : requireSessionDaemon(this, session);
  const client = own ? createClient({ ...own, fetch: fetchJson }) : await connectLasting(this);
  const { callerOf, serveCoordinatorOnStdio } = await import("@gantry/gateway/mcp");
  const caller = callerOf(own?.token, lead);
  const cwd = caller.kind === "owner" ? { cwd: process.cwd() } : {};
  const report = (line: string) => this.process.stderr.write(`gantry mcp: ${line}\n`);
  await serveCoordinatorOnStdio({ client, caller, version: this.version, ...cwd }, { report });
}

const EFFECTS: Record<Offer, string> = {
  off: "Agents that start from now on do not get the MCP server gantry.",
  leads:
    "Agents of leads get the MCP server gantry with their next start. They act within the rights of their session.",
  all: "Agents get the MCP server gantry with their next start. They act within the rights of their session.",
};

async function changeOffer(context: Context, offer: Offer): Promise<void> {
  const client = await connect(context);
  await client.settings.change({ "mcp.offer": offer });
  const { output } = context;
  if (output.json) return output.data({ offer });
  output.print(EFFECTS[offer]);
}

/** Never falls back to the owner's token: the command stands in the kit of an agent. */
function requireSessionDaemon({ env }: Context, session: string): Daemon {
  const found = findSessionToken(session, env);
  if (found) return { ...found, pid: 0, version: "" };
  throw environmentError(
    "no_session_token",
    `The environment has no token of ${session}. Nothing was started.`,
    "The agent of the session starts this command. For your own clients use `gantry mcp` without --session.",
  );
}

/** How long a daemon that is alive may take to answer. */
const FIND_MS = 15_000;

/**
 * A client that outlives daemons: the address is looked up for every request, and a daemon that was killed is started again.
 * One that was stopped stays stopped, because it has removed its file.
 */
async function connectLasting({ home, env, process: { stderr } }: Context): Promise<Client> {
  const onWait = (text: string) => void stderr.write(`${text}\n`);
  const find = async () =>
    (await findDaemon(home, { ms: FIND_MS, onWait })) ?? (await startInBackground(home, env, onWait));
  let last = await find();
  let isLost = false;
  const resolve = async () => {
    const recorded = readDiscovery(home);
    if (isLost && recorded) {
      last = await find();
      isLost = false;
      return last;
    }
    return recorded ?? last;
  };
  const fetch: typeof globalThis.fetch = async (...request) => {
    try {
      const response = await fetchJson(...request);
      isLost = false;
      return response;
    } catch (error) {
      isLost = true;
      throw error;
    }
  };
  return createClient({ resolve, fetch });
}
