/** A span of code with its colors in the light and the dark theme. */
export type CodeSpan = [text: string, light: string, dark: string];
export type HighlightRequest = { id: number; text: string; language: string };
export type HighlightResponse = { id: number; lines?: CodeSpan[][] };

/** Longer texts are not highlighted. */
const MAX_CHARS = 60_000;
const MAX_CACHED = 300;
const TIMEOUT_MS = 8000;

const cache = new Map<string, CodeSpan[][]>();
const pending = new Map<number, (lines: CodeSpan[][] | undefined) => void>();
let worker: Worker | undefined;
let last = 0;

/** The cached result for a text. */
export function cachedHighlight(text: string, language: string): CodeSpan[][] | undefined {
  return cache.get(keyOf(text, language));
}

/** Highlights a text in a worker. `undefined` for an unknown language or a text that is too long. */
export async function highlight(text: string, language: string): Promise<CodeSpan[][] | undefined> {
  if (text.length > MAX_CHARS) return undefined;
  const lines = cachedHighlight(text, language) ?? (await requestHighlight(text, language));
  if (lines) remember(keyOf(text, language), lines);
  return lines;
}

function requestHighlight(text: string, language: string): Promise<CodeSpan[][] | undefined> {
  worker ??= startWorker();
  const id = ++last;
  return new Promise((resolve) => {
    // A grammar may not terminate on adversarial text.
    const timer = setTimeout(dropWorker, TIMEOUT_MS);
    pending.set(id, (lines) => {
      clearTimeout(timer);
      resolve(lines);
    });
    worker?.postMessage({ id, text, language } satisfies HighlightRequest);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<HighlightResponse>) => {
    pending.get(data.id)?.(data.lines);
    pending.delete(data.id);
  });
  started.addEventListener("error", dropWorker);
  return started;
}

/** Ends the worker. Pending texts stay plain; the next text starts a new worker. */
function dropWorker(): void {
  worker?.terminate();
  worker = undefined;
  for (const resolve of pending.values()) resolve(undefined);
  pending.clear();
}

function remember(key: string, lines: CodeSpan[][]): void {
  cache.delete(key);
  cache.set(key, lines);
  for (const old of [...cache.keys()].slice(0, -MAX_CACHED)) cache.delete(old);
}

function keyOf(text: string, language: string): string {
  return `${language}\n${text}`;
}
