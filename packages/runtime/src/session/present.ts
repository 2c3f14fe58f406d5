import { type Session, type SessionView, sessionState } from "@gantry/protocol";

/** The view as clients see it: without what only the engine needs. */
export function present(view: SessionView): Session {
  const { archived, ended, sent, tools, subagents, grants, limit, trouble, inputs, ...shown } = view;
  return { ...shown, state: sessionState(view), inputs: inputs.map(({ native, ...input }) => input) };
}
