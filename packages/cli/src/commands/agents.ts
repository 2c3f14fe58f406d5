import type { Context } from "../context.ts";
import { connect } from "../daemon/connect.ts";
import { agentHeader, agentLines } from "../render/agent.ts";

export type AgentsFlags = { refresh: boolean };

/** Agents as they are installed here; each row is printed as it lands. */
export default async function agents(this: Context, flags: AgentsFlags): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const query = { refresh: flags.refresh ? ("1" as const) : undefined };
  if (output.json) return output.data(await client.call("listAgents", { query }));
  output.print(agentHeader(output.paint));
  for await (const row of client.agents(query)) output.print(agentLines(row, output.paint));
}
