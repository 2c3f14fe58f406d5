import type { Client } from "@gantry/client";
import { AgentId, GantryError, type Lane, Mode, ModelId, SessionId } from "@gantry/protocol";
import { z } from "zod";
import type { Coordinator } from "../coordinator.ts";
import { SessionRow, sessionLine, sessionRow } from "../reading/rows.ts";
import { defineTool } from "./define-tool.ts";
import { Waited, waitAndDescribe, waitSeconds } from "./wait-for-session.ts";

export const startSession = defineTool({
  name: "start_session",
  title: "Start a session",
  description:
    "Starts a session of an agent with a prompt, in a folder or in a lane (a separate git worktree). Returns at once, or with `wait` when the agent is done. A session's agent may not give more permission than it has.",
  input: z.strictObject({
    id: SessionId.optional().describe("Idempotency key, ses_…: a repeated call returns the same session"),
    agent: AgentId.optional().describe("An id from list_agents. A person may omit it to use the default agent."),
    prompt: z.string().min(1).max(1_000_000),
    model: ModelId.optional(),
    mode: Mode.optional().describe("What the agent may do without asking"),
    effort: z.string().max(20).optional(),
    cwd: z.string().max(4096).optional().describe("The folder; with `lane`, any folder of the repository"),
    lane: z.string().min(1).max(210).optional().describe("The name or id of a lane. A new name creates the lane."),
    title: z.string().min(1).max(200).optional(),
    wait: z.boolean().optional().describe("Wait for the end of the turn, as wait_for_session does"),
    seconds: waitSeconds,
  }),
  output: z.object({ session: SessionRow, result: Waited.optional() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(coordinator, { wait, seconds, lane, cwd, ...given }, call) {
    const { client } = coordinator;
    const place = await placeOf(coordinator, { id: given.id, lane, cwd });
    const session = await client.sessions.create({ ...given, ...place });
    if (!wait) {
      const text = `Started ${sessionLine(session)}\nwait_for_session waits for it, read_session shows its transcript.`;
      return { data: { session: sessionRow(session) }, text };
    }
    call.report(`started ${session.id}`);
    const { data, text } = await waitAndDescribe(coordinator, session.id, seconds, call);
    return { data: { session: sessionRow(await client.sessions.get(session.id)), result: data }, text };
  },
});

type Place = { id?: string; lane?: string; cwd?: string };

/** The folder or lane of the session. Creates a lane that does not exist. */
async function placeOf(coordinator: Coordinator, { id, lane, cwd = coordinator.cwd }: Place) {
  if (lane === undefined) return cwd === undefined ? {} : { cwd };
  if (lane.startsWith("lan_")) return { lane };
  const folder = cwd ?? (await requireFolder(coordinator, lane));
  return { lane: (await findOrCreateLane(coordinator.client, lane, folder, id)).id };
}

/** The folder that a lane's name refers to: that of the caller's session. An owner has none and must name one. */
async function requireFolder({ client, caller }: Coordinator, lane: string): Promise<string> {
  if (caller.kind === "session") return (await client.sessions.get(caller.id)).cwd;
  throw new GantryError("invalid", `The repository of the lane ${lane} is not known.`, {
    remedy: "Name a folder of the repository with `cwd`, or the id of a lane.",
  });
}

async function findOrCreateLane(client: Client, name: string, cwd: string, id: string | undefined): Promise<Lane> {
  const { lanes } = await client.lanes.list({ cwd });
  const known = lanes.find((lane) => lane.kind !== "primary" && lane.name === name);
  if (known) return known;
  // The derived id makes a repeated call find the lane that an interrupted one created.
  return client.lanes.create({ cwd, name, ...(id ? { id: id.replace(/^ses_/, "lan_") } : {}) });
}
