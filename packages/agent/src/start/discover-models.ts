import type { FullModelRegistry } from "@gantry/models";

const LATER_MS = 2_000;

/**
 * Providers are asked which models they have when the agent has started, so that nobody waits for them; only where there
 * is no model to begin with they are asked at once. What `stop` gives up is asked again at the next start.
 */
export async function discoverModels(
  registry: FullModelRegistry,
  selector: string | undefined,
): Promise<{ stop(): void }> {
  const stopping = new AbortController();
  const ask = () => registry.refresh("online-if-uncached", stopping.signal);
  let timer: NodeJS.Timeout | undefined;
  if (registry.initial(selector === undefined ? {} : { selector })) {
    timer = setTimeout(() => void ask(), LATER_MS);
    timer.unref();
  } else await ask();
  return {
    stop() {
      clearTimeout(timer);
      stopping.abort();
    },
  };
}
