import type { FullModelRegistry, Model } from "@gantry/models";
import { SessionError } from "../contract/session.ts";
import { memoryModel } from "../memory/choose-model.ts";
import { createMemory } from "../memory/create-memory.ts";
import type { Ask, Memory, MemoryQuestion, MemorySettings } from "../memory/port.ts";
import { type AskerParts, askModel } from "../session/drive/ask-model.ts";

export type MemoryWorker = {
  memory: Memory;
  /** Starts to extract and consolidate memories in the background, until `stop`. `model`: the session's current one. */
  begin(session: { id: string; model(): Model | undefined }): void;
  stop(): Promise<void>;
};

type Parts = {
  cwd: string;
  agentDir: string;
  settings: Partial<MemorySettings>;
  registry: FullModelRegistry;
  asker: AskerParts;
};

/** The memory of the folder's earlier sessions, and the background work that updates it. */
export function createMemoryWorker({ cwd, agentDir, settings, registry, asker }: Parts): MemoryWorker {
  const memory = createMemory({ cwd, agentDir, settings });
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return {
    memory,
    begin({ id, model }) {
      if (!settings.enabled) return;
      const choose = (step: MemoryQuestion["step"]) => memoryModel(registry, step, model());
      running = memory.run(askerOf(choose, asker), stopping.signal, { activeSession: id });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

function askerOf(choose: (step: MemoryQuestion["step"]) => Model | undefined, asker: AskerParts): Ask {
  return async ({ step, system, text }, signal) => {
    const model = choose(step);
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
