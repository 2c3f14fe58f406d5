import type { Command, SessionView } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { client } from "../../store/client.ts";

const NONE: readonly Command[] = [];

/** The slash commands of a session's agent, asked for anew whenever the agent has told other ones. */
export function useCommands({ id, commandsAt }: SessionView): readonly Command[] {
  const [commands, setCommands] = useState(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place in the log says that there are new ones.
  useEffect(() => {
    let wanted = true;
    // Without them there is no completion, and nothing else is missing.
    client.sessions.get(id).then(
      (session) => wanted && setCommands(session.commands ?? NONE),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [id, commandsAt]);
  return commands;
}
