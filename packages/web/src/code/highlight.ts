/** A stretch of code, and its colours on light and on dark ground. */
export type Span = [text: string, light: string, dark: string];
export type HighlightQuestion = { id: number; text: string; language: string };
export type HighlightAnswer = { id: number; lines?: Span[][] };

/** Texts beyond this stay plain: their colours would take longer than their reading. */
const LONGEST = 60_000;
const KEPT = 300;
const PATIENCE_MS = 8000;

const known = new Map<string, Span[][]>();
const waiting = new Map<number, (lines: Span[][] | undefined) => void>();
let worker: Worker | undefined;
let last = 0;

/** The colours of a text that has been coloured before. */
export function colouredBefore(text: string, language: string): Span[][] | undefined {
  return known.get(keyOf(text, language));
}

/** Colours a text, in a thread of its own. Gives nothing for a language or a text that cannot be. */
export async function colour(text: string, language: string): Promise<Span[][] | undefined> {
  if (text.length > LONGEST) return undefined;
  const lines = colouredBefore(text, language) ?? (await ask(text, language));
  if (lines) remember(keyOf(text, language), lines);
  return lines;
}

function ask(text: string, language: string): Promise<Span[][] | undefined> {
  worker ??= start();
  const id = ++last;
  return new Promise((resolve) => {
    // A grammar may run without end on a text that was made for it.
    const timer = setTimeout(restart, PATIENCE_MS);
    waiting.set(id, (lines) => {
      clearTimeout(timer);
      resolve(lines);
    });
    worker?.postMessage({ id, text, language } satisfies HighlightQuestion);
  });
}

function start(): Worker {
  const started = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  started.addEventListener("error", restart);
  return started;
}

/** What waits stays plain; the next text gets a new thread. */
function restart(): void {
  worker?.terminate();
  worker = undefined;
  for (const resolve of waiting.values()) resolve(undefined);
  waiting.clear();
}

function remember(key: string, lines: Span[][]): void {
  known.delete(key);
  known.set(key, lines);
  for (const old of [...known.keys()].slice(0, -KEPT)) known.delete(old);
}

function keyOf(text: string, language: string): string {
  return `${language}\n${text}`;
}
