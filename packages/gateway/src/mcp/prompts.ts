import { completable, type McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Coordinator } from "./coordinator.ts";
import { completeLane } from "./resources/lanes.ts";

/** Prompts for people, offered by their clients. */
export function registerPrompts(server: McpServer, coordinator: Coordinator): void {
  const agent = completable(z.string().max(40).optional(), (value) => completeAgent(coordinator, value ?? ""));
  const lane = completable(z.string().max(210), (value) => completeLane(coordinator, value, "id"));
  server.registerPrompt(
    "delegate_task",
    {
      title: "Delegate a task",
      description: "Gives a task to an agent in a separate lane, waits for it and reports the result.",
      argsSchema: z.object({ task: z.string().max(20_000), agent }),
    },
    ({ task, agent: chosen }) =>
      promptOf(`Delegate this task to ${chosen ? `the agent ${chosen}` : "an agent from list_agents that is ready"}.
Start it with start_session in a new lane with a short name. Give it everything that it needs to know, because it does not see this conversation. Wait with wait_for_session. If it waits for an input, report what it asks for. When it is done, read its diff with read_session (part: diff) and report: what it changed, whether it ran tests, what is missing. Do not land the lane.

The task: ${task}`),
  );
  server.registerPrompt(
    "compare_agents",
    {
      title: "Compare agents",
      description: "Gives one task to several agents, each in a separate lane, and compares their work.",
      argsSchema: z.object({
        task: z.string().max(20_000),
        agents: z.string().max(400).optional().describe("Ids of agents, separated by commas"),
      }),
    },
    ({ task, agents }) =>
      promptOf(`Give this task to ${agents ? `these agents: ${agents}` : "two agents from list_agents that are ready"}.
Start one session for each with start_session, all with the same prompt, each in a new lane. Wait for all of them with wait_for_session. Then call compare_lanes with patch: true. Report in a table what each changed, its tests, its cost and its conflicts, and recommend one with reasons. Do not land a lane.

The task: ${task}`),
  );
  server.registerPrompt(
    "review_lane",
    {
      title: "Review a lane",
      description: "Reviews the changes of a lane before it is landed.",
      argsSchema: z.object({ lane }),
    },
    ({ lane: chosen }) =>
      promptOf(
        `Review the work in the lane ${chosen}. Call compare_lanes with this lane and patch: true, and read what the patch leaves out from gantry://lane/${chosen}/diff. Report mistakes with file and line, missing tests, and conflicts with the base. State whether it can be landed. Change nothing and do not land it.`,
      ),
  );
}

function promptOf(text: string) {
  return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
}

async function completeAgent({ client }: Coordinator, value: string): Promise<string[]> {
  const rows = await client.agents.list();
  return rows.filter(({ id, state }) => state === "ready" && id.startsWith(value)).map(({ id }) => id);
}
