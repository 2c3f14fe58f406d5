import type { AgentRow } from "@gantry/protocol";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";

const MOST_MODELS = 25;

const Row = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(["ready", "missing", "broken", "unknown"]),
  version: z.string().optional(),
  modes: z.array(z.string()),
  models: z.array(
    z.object({ id: z.string(), default: z.boolean().optional(), efforts: z.array(z.string()).optional() }),
  ),
  moreModels: z.number().int().describe("How many models are not listed here"),
  problems: z.array(z.string()),
});

export const listAgents = defineTool({
  name: "list_agents",
  title: "List agents",
  description:
    "Lists the coding agents that can work in a session, with their modes and models. By default only those that are ready.",
  input: z.strictObject({
    all: z.boolean().optional().describe("Also list agents that are missing or broken, and why"),
  }),
  output: z.object({ agents: z.array(Row) }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ client }, { all = false }) {
    const rows = (await client.agents.list()).filter(({ state }) => all || state === "ready").map(rowOf);
    const lines = rows.map(
      ({ id, name, state, modes, problems }) =>
        `${id} (${name}): ${state}; modes ${modes.join(", ")}${problems.length > 0 ? `; ${problems.join(" ")}` : ""}`,
    );
    return { data: { agents: rows }, text: lines.join("\n") || "No agent is ready. Use `all` to see why." };
  },
});

function rowOf({ id, name, state, version, modes, models, problems }: AgentRow): z.input<typeof Row> {
  const listed = models.items.slice(0, MOST_MODELS).map((model) => ({
    id: model.id,
    ...(model.default ? { default: true } : {}),
    ...(model.efforts && model.efforts.length > 0 ? { efforts: [...model.efforts] } : {}),
  }));
  const moreModels = models.items.length - listed.length;
  return {
    id,
    name,
    state,
    version,
    modes,
    models: listed,
    moreModels,
    problems: problems.map(({ message }) => message),
  };
}
