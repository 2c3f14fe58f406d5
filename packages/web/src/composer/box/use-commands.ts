import type { Command, SessionView } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { client } from "../../store/connection/client.ts";
import { firstPaint } from "../../store/first-paint.ts";

const NONE: readonly Command[] = [];

/** The slash commands of a session's agent, loaded again whenever the agent reports new ones. */
export function useCommands({ id, commandsAt }: SessionView): readonly Command[] {
  const [commands, setCommands] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sequence number changes when there are new commands.
  useEffect(() => {
    let mounted = true;
    // Failure only disables completion.
    firstPaint
      .then(() => client.sessions.get(id))
      .then(
        (session) => mounted && setCommands(session.commands ?? NONE),
        () => undefined,
      );
    return () => {
      mounted = false;
    };
  }, [id, commandsAt]);
  return commands;
}
