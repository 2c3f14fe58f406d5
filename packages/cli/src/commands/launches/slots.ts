import { Mode, type SlotRequest } from "@gantry/protocol";
import { controlChanges, orUnset } from "../../arguments/controls.ts";
import { usageError } from "../../program/errors.ts";

/**
 * A slot on the command line: `agent`, `agent:model`, `agent:model:mode`, or `agent::mode`, then native controls as
 * `,control=choice`. A model's own name may hold colons; only the last piece can be a mode. The model or choice `default`
 * drops a configured default.
 */
export function parseSlot(text: string): SlotRequest {
  const [, place = text, pairs = ""] = /^(.*?)((?:,[a-z][a-z0-9-]*=[^,]+)*)$/s.exec(text) ?? [];
  const [agent = "", ...rest] = place.split(":");
  if (!agent) throw usageError(`${text} names no agent.`, "Write agent, agent:model or agent:model:mode.");
  const mode = rest.length > 0 ? Mode.safeParse(rest.at(-1)).data : undefined;
  const model = (mode ? rest.slice(0, -1) : rest).join(":");
  const controls = controlChanges({ control: pairs.split(",").filter((pair) => pair !== "") });
  return {
    agent,
    ...(model ? { model: orUnset(model) } : {}),
    ...(mode ? { mode } : {}),
    ...(controls ? { controls } : {}),
  };
}
