import type { FullModelRegistry } from "@gantry/models";

const DELAY_MS = 2_000;

/**
 * Requests the model lists of the providers shortly after the start, so that the start does not wait for them. Without
 * any known model, they are requested at once. A request cancelled by `stop` is repeated at the next start.
 */
export async function discoverModels(
  registry: FullModelRegistry,
  selector: string | undefined,
): Promise<{ stop(): void }> {
  const stopping = new AbortController();
  const ask = () => registry.refresh("online-if-uncached", stopping.signal);
  let timer: NodeJS.Timeout | undefined;
  if (registry.initial(selector === undefined ? {} : { selector })) {
    timer = setTimeout(() => void ask(), DELAY_MS);
    timer.unref();
  } else await ask();
  return {
    stop() {
      clearTimeout(timer);
      stopping.abort();
    },
  };
}
