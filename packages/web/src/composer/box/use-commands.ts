import type { Command, SessionView } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { client } from "../../store/connection/client.ts";
import { firstPaint } from "../../store/first-paint.ts";

const NONE: readonly Command[] = [];

/** The slash commands of a session's agent, loaded again whenever the agent reports new ones. */
export function useCommands({ id, commandsAt, agent, cwd }: SessionView): readonly Command[] {
  return useLoaded(`${id} ${commandsAt} ${agent}`, async () =>
    commandsAt === undefined ? loadKnown(agent, cwd) : ((await client.sessions.get(id)).commands ?? NONE),
  );
}

/** The slash commands and skills that an agent would have in a folder, before a session exists. */
export function useKnownCommands(agent: string | undefined, cwd: string | undefined): readonly Command[] {
  return useLoaded(`${agent} ${cwd}`, async () => (agent ? loadKnown(agent, cwd) : NONE));
}

async function loadKnown(agent: string, cwd: string | undefined): Promise<readonly Command[]> {
  return (await client.agents.commands(agent, cwd)).commands;
}

/** Loads commands after the first paint, and again when the key changes. Failure only disables completion. */
function useLoaded(key: string, load: () => Promise<readonly Command[]>): readonly Command[] {
  const [loaded, setLoaded] = useState<{ key: string; commands: readonly Command[] }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is loaded.
  useEffect(() => {
    let mounted = true;
    firstPaint.then(load).then(
      (commands) => mounted && setLoaded({ key, commands }),
      () => undefined,
    );
    return () => {
      mounted = false;
    };
  }, [key]);
  return loaded?.key === key ? loaded.commands : NONE;
}
