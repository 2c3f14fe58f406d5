import type { AgentCommands, Command, Envelope, KnownCommand } from "@gantry/protocol";
import type { Store } from "../../log/port.ts";
import type { Agent } from "../contract.ts";
import { readCommandFiles } from "./read-files.ts";

/** Sessions that are searched for a list of the agent's commands, the newest first. */
const MOST_SESSIONS = 200;

export type CommandSources = {
  store: Store;
  env: Readonly<Record<string, string>>;
  /** The user's home. */
  home: string;
  /** Whether the user has trusted the code of the project for this agent. */
  isTrusted: (agent: Agent, folder: string) => boolean | Promise<boolean>;
  /** Commands that the last probe of the agent reported. */
  readProbed: (agent: string) => readonly KnownCommand[];
};

/**
 * The commands of an agent in a folder, without starting it: what it reported in its last session there, what its probe
 * reported, and what files define. The first entry of a name wins. Files of an untrusted project are not read.
 */
export async function knownCommands(sources: CommandSources, agent: Agent, folder?: string): Promise<AgentCommands> {
  const isTrusted = folder === undefined || (await sources.isTrusted(agent, folder));
  const { commandFiles } = agent;
  const project = isTrusted ? folder : undefined;
  const files = commandFiles ? await readCommandFiles(commandFiles, sources, project) : { commands: [], styles: [] };
  const reported = folder === undefined ? [] : lastReported(sources.store, agent.id, folder);
  const fromAgent = [...reported.map(asKnown), ...sources.readProbed(agent.id)];
  const byName = new Map<string, KnownCommand>();
  for (const command of [...fromAgent, ...files.commands]) {
    const known = byName.get(command.name);
    if (!known) byName.set(command.name, command);
    // The file knows where the command comes from.
    else if (known.scope === "agent" && command.scope !== "agent")
      byName.set(command.name, { ...command, ...known, kind: command.kind, scope: command.scope });
  }
  const builtIn = (commandFiles?.styles ?? []).map((name) => ({ name, scope: "agent" as const }));
  const styles = [...builtIn, ...files.styles.filter(({ name }) => !builtIn.some((style) => style.name === name))];
  return { commands: [...byName.values()], styles, untrusted: !isTrusted };
}

/** The list that the agent sent last in a session of this folder. */
function lastReported(store: Store, agent: string, folder: string): Command[] {
  const { sessions } = store.sessions.list({ limit: MOST_SESSIONS, archived: "any" });
  const last = sessions.find(
    ({ view }) => view.agent === agent && view.cwd === folder && view.commandsAt !== undefined,
  );
  if (!last) return [];
  const [row] = store.readEvents(last.id, (last.view.commandsAt ?? 1) - 1, 1);
  const event = row && (JSON.parse(row.json) as Envelope);
  return event?.type === "commands.changed" ? event.data.list : [];
}

function asKnown(command: Command): KnownCommand {
  return { ...command, kind: command.name.startsWith("skill:") ? "skill" : "command", scope: "agent" };
}
