import { type AgentRight, calls, GantryError, type RouteName } from "@gantry/protocol";
import type { AnyHandler, Handlers } from "../handler.ts";

/** Decides what a session's own token may do. `caller` is the session that the token belongs to. */
export interface AgentAccess {
  /** The session of a token; `undefined` for an unknown or revoked one. */
  sessionOf(token: string): string | undefined;
  /** Throws `not_permitted` unless `id` is a descendant of the caller or, with `orSelf`, the caller. */
  requireBelow(caller: string, id: string, orSelf: boolean): void;
  /** Throws `not_permitted` unless the lane belongs to the caller or a descendant. */
  requireLane(caller: string, lane: string): void;
  /** The handlers of the calls whose right is `checked`. They make the decision and throw `not_permitted`. */
  checkedHandlers(caller: string, handlers: Handlers): Partial<Handlers>;
}

/** The right of a row of the call table. Throws `not_permitted` for a row that grants none. */
export function requireRight(name: string, row: { method: string; agent?: AgentRight }): AgentRight {
  if (row.agent) return row.agent;
  throw notPermitted(name);
}

/** The handler of a call that comes with a session's own token. Throws `not_permitted`. */
export function handlerForAgent(
  access: AgentAccess,
  handlers: Handlers,
  { name, caller, params }: { name: RouteName; caller: string; params: Record<string, string> },
): AnyHandler {
  const right = requireRight(name, calls[name]);
  if (right === "checked") {
    const handler = access.checkedHandlers(caller, handlers)[name];
    if (!handler) throw notPermitted(name);
    return handler as AnyHandler;
  }
  if (right === "lane") access.requireLane(caller, params.id ?? "");
  else if (right !== "any") access.requireBelow(caller, params.id ?? "", right === "family");
  return handlers[name] as AnyHandler;
}

function notPermitted(name: string): GantryError {
  return new GantryError("not_permitted", `The token of a session does not permit this call (${name}).`, {
    remedy: "Ask a person to do it.",
  });
}
