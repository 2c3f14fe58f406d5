import type { Context } from "../context.ts";
import { connect } from "../daemon/connect.ts";
import { agentHeader, agentLines } from "../render/agent.ts";

export type AgentsFlags = { refresh: boolean };

/** Agents as they are installed here; each row is printed as it lands. */
export default async function agents(this: Context, flags: AgentsFlags): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  if (output.json) return output.data({ agents: await client.agents.list(flags.refresh) });
  output.print(agentHeader(output.paint));
  for await (const row of client.agents.stream(flags.refresh)) output.print(agentLines(row, output.paint));
}
