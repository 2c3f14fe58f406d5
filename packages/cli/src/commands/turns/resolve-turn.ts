import type { Client } from "@gantry/client";
import { GantryError, type TurnRow } from "@gantry/protocol";

/** A turn by its number from 1, its id or part of it; the last one for `last` or no argument. Throws `no_such_turn`. */
export async function resolveTurn(client: Client, session: string, name = "last"): Promise<TurnRow> {
  const turns = await client.turns.list(session);
  const found =
    name === "last"
      ? turns.at(-1)
      : /^\d+$/.test(name)
        ? turns[Number(name) - 1]
        : turns.find(({ turn }) => turn === name || turn.endsWith(name));
  if (found) return found;
  const remedy = turns.length === 0 ? "It has no turns yet." : `It has ${turns.length}: \`gantry turns ${session}\`.`;
  throw new GantryError("no_such_turn", `${session} has no turn ${name}.`, { remedy });
}
