import type { AgentRow } from "@gantry/protocol";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { oneAgentLines } from "./one-agent.ts";
import { absentLines, agentHeader, agentLines, availableLines } from "./render.ts";

export type AgentsFlags = { refresh: boolean; available: boolean };

/**
 * The installed agents. On a terminal each row appears when its probe finishes, and a stale row is replaced after a new
 * probe; programs and pipes get the cached rows at once.
 */
export default async function agents(this: Context, flags: AgentsFlags, name?: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  if (name !== undefined) {
    const found = await client.agents.get(name, flags.refresh);
    if (output.json) return output.data(found);
    return output.print(oneAgentLines(found.agent, output.paint, output.width?.()));
  }
  if (flags.available) {
    const listed = await client.profiles.available();
    if (output.json) return output.data(listed);
    return output.print(availableLines(listed, output.paint, output.width?.()));
  }
  if (output.json) return output.data({ agents: await client.agents.list(flags.refresh) });
  const { paint, width } = output;
  const rows = new Map<string, AgentRow>();
  const lines = () => {
    const [absent, present] = [true, false].map((missing) =>
      [...rows.values()].filter(({ state }) => (state === "missing") === missing),
    ) as [AgentRow[], AgentRow[]];
    const table = present.flatMap((row) => agentLines(row, paint, width?.()));
    return [agentHeader(paint), ...table, ...absentLines(absent, paint, width?.())];
  };
  if (!width) {
    for (const row of await client.agents.list(flags.refresh)) rows.set(row.id, row);
    return output.print(lines());
  }
  const surface = output.surface();
  // Lines that have left the screen cannot be replaced.
  const room = ((output.streams.output as NodeJS.WriteStream).rows || 24) - 1;
  for await (const row of client.agents.stream(flags.refresh)) {
    rows.set(row.id, row);
    surface.live(lines().slice(0, room));
  }
  surface.close();
  output.print(lines());
}
