import type { FullModelRegistry } from "@gantry/models";
import { SessionError } from "../contract/session.ts";
import { createMemory } from "../memory/create-memory.ts";
import type { Ask, Memory } from "../memory/port.ts";
import { type AskerParts, askModel } from "../session/drive/ask-model.ts";

export type MemoryWorker = {
  memory: Memory;
  /** Starts to extract and consolidate memories in the background, until `stop`. */
  begin(activeSession: string): void;
  stop(): Promise<void>;
};

type Parts = { cwd: string; agentDir: string; enabled: boolean; registry: FullModelRegistry; asker: AskerParts };

/** The memory of the folder's earlier sessions, and the background work that updates it. */
export function createMemoryWorker(parts: Parts): MemoryWorker {
  const { cwd, agentDir, enabled, registry, asker } = parts;
  const memory = createMemory({ cwd, agentDir, settings: { enabled } });
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return {
    memory,
    begin(activeSession) {
      if (enabled) running = memory.run(askerOf(registry, asker), stopping.signal, { activeSession });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function askerOf(registry: FullModelRegistry, asker: AskerParts): Ask {
  return async ({ role, system, text }, signal) => {
    const model = (registry.resolve(`gantry/${role}`) ?? registry.initial())?.model;
    if (!model) throw new SessionError("No model is available.");
    const messages = [{ role: "user" as const, content: text, timestamp: Date.now() }];
    const question = { system: [system], messages, tools: [], thinking: "off" as const, signal };
    for await (const event of askModel(asker, model, question)) {
      if (event.type === "error") throw new SessionError(event.message.errorMessage ?? "The model gave no answer.");
      if (event.type !== "done") continue;
      return event.message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    }
    throw new SessionError("The model gave no answer.");
  };
}
