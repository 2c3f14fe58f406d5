import type { Command, SessionView } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { client } from "../../store/connection/client.ts";
import { firstPaint } from "../../store/first-paint.ts";

const NONE: readonly Command[] = [];

/** The slash commands of a session's agent, loaded again whenever the agent reports new ones. */
export function useCommands({ id, commandsAt, agent, cwd }: SessionView): readonly Command[] {
  const [commands, setCommands] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sequence number changes when there are new commands.
  useEffect(() => {
    let mounted = true;
    // Failure only disables completion.
    firstPaint
      .then(() => loadCommands(id, commandsAt, agent, cwd))
      .then(
        (found) => mounted && setCommands(found),
        () => undefined,
      );
    return () => {
      mounted = false;
    };
  }, [id, commandsAt, agent]);
  return commands;
}

/** What the agent reported; before its first turn, the known commands. */
async function loadCommands(id: string, commandsAt: number | undefined, agent: string, cwd: string) {
  const { commands } =
    commandsAt === undefined ? await client.agents.commands(agent, cwd) : await client.sessions.get(id);
  return commands ?? NONE;
}
