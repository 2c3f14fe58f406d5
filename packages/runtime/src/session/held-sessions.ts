import type { HandoffBody } from "@gantry/protocol";
import type { LimitedSessions } from "../limits/port.ts";
import type { SessionActors } from "./actors.ts";

type HeldDeps = { log: (text: string) => void; handOff: (id: string, body: HandoffBody) => Promise<unknown> };

/** What the limits may do with sessions that wait for one. */
export function heldSessions(actors: SessionActors, { log, handOff }: HeldDeps): LimitedSessions {
  return {
    handOn: async (id, to) => {
      const [first] = actors.view(id).queue;
      // A brief cannot hold attachments: such a message follows it by itself.
      const plain = first && first.attachments.length === 0 ? first : undefined;
      await handOff(id, { ...to, ...(plain ? { prompt: plain.text } : {}) });
      const { agent, queue } = actors.view(id);
      if (!plain || agent !== to.agent || !queue.some(({ message }) => message === plain.message)) return;
      const data = {
        message: plain.message,
        state: "cancelled" as const,
        reason: `sent to ${to.agent} with the handoff`,
      };
      actors.get(id).apply("recordEvents", [{ type: "message.delivery", data }]);
    },
    parked: () => actors.inState("limited").map((id) => actors.view(id)),
    view: (id) => actors.findView(id),
    wake: (id, forget = false) => {
      if (!actors.findView(id)) return;
      try {
        actors.get(id).apply("wake", { release: forget });
      } catch (error) {
        // With a full disk it stays held and is woken again later.
        log(`${id}: ${(error as Error).message}`);
      }
    },
  };
}
