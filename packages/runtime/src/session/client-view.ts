import { type Command, type Envelope, type Session, type SessionView, sessionState } from "@gantry/protocol";
import type { Store } from "../log/port.ts";

const MAX_COMMANDS = 200;

/** The view without the fields that only the engine needs. */
export function toClientSession(view: SessionView): Session {
  const {
    ended,
    sent,
    tally,
    tools,
    subagents,
    grants,
    trouble,
    commandsAt,
    compactedAt,
    inputs,
    handingTo,
    handoff,
    leftAt,
    ...shown
  } = view;
  return {
    ...shown,
    ...(handingTo ? { handingTo: (({ brief, ...asked }) => asked)(handingTo) } : {}),
    ...(handoff ? { handoff: (({ before, seq, message, ...open }) => open)(handoff) } : {}),
    state: sessionState(view),
    inputs: inputs.map(({ native, ...input }) => input),
  };
}

/** Adds the agent's slash commands, which are too large for lists of sessions. */
export function toClientSessionWithCommands(store: Store, view: SessionView): Session {
  const commands = commandsOf(store, view);
  return { ...toClientSession(view), ...(commands ? { commands } : {}) };
}

function commandsOf(store: Store, { id, commandsAt }: SessionView): Command[] | undefined {
  if (commandsAt === undefined) return undefined;
  const [row] = store.readEvents(id, commandsAt - 1, 1);
  const event = row && (JSON.parse(row.json) as Envelope);
  return event?.type === "commands.changed" ? event.data.list.slice(0, MAX_COMMANDS) : undefined;
}
