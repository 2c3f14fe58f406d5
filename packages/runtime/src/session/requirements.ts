import { GantryError, isPlainModel, type SessionView } from "@gantry/protocol";
import type { Agent } from "../agents/contract.ts";
import type { SessionActor } from "./actor.ts";

/** Throws `turn_running`. */
export function requireNoTurn({ id, turn }: SessionView): void {
  if (!turn) return;
  throw new GantryError("turn_running", `A turn of ${id} is running.`, {
    remedy: "Interrupt it first, or wait for its end.",
  });
}

/** A model name with options must be one that the agent lists. Throws `invalid`. */
export async function requireModel(
  agent: Agent,
  model: string | undefined,
  offersModel: (agent: string, model: string) => Promise<boolean>,
): Promise<void> {
  if (model === undefined || isPlainModel(model) || (await offersModel(agent.id, model))) return;
  const remedy = `See \`gantry agents --json\` for the models of ${agent.name}.`;
  throw new GantryError("invalid", `${agent.name} does not list a model ${model}.`, { remedy });
}

/** Two processes in one native conversation would overwrite each other. Throws `unsupported` or `conflict`. */
export function requireResumable(
  agent: Agent,
  conversation: string | undefined,
  actors: readonly SessionActor[],
): void {
  if (conversation === undefined) return;
  if (agent.resume === "none") {
    const remedy = "Omit `resume` to start a new conversation.";
    throw new GantryError("unsupported", `${agent.name} cannot resume an earlier conversation.`, { remedy });
  }
  const busy = actors.find(({ view, process }) => process !== undefined && view.handles[agent.id] === conversation);
  if (!busy) return;
  const remedy = `Send your message to ${busy.view.id}, or close that session first.`;
  throw new GantryError("conflict", `${busy.view.id} uses this conversation right now.`, { remedy });
}
