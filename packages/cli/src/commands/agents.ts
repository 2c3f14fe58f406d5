import type { AgentRow } from "@gantry/protocol";
import type { Context } from "../context.ts";
import { connect } from "../daemon/connect.ts";
import { absentLines, agentHeader, agentLines } from "../render/agent.ts";

export type AgentsFlags = { refresh: boolean };

/** Agents as they are installed here; each row is printed as it lands, those that are missing at the end. */
export default async function agents(this: Context, flags: AgentsFlags): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  if (output.json) return output.data({ agents: await client.agents.list(flags.refresh) });
  output.print(agentHeader(output.paint));
  const absent: AgentRow[] = [];
  for await (const row of client.agents.stream(flags.refresh)) {
    if (row.state === "missing") absent.push(row);
    else output.print(agentLines(row, output.paint));
  }
  output.print(absentLines(absent, output.paint));
}
