/** For hidden pages, which get no animation frames. */
const MAX_WAIT_MS = 300;

let resolveFirstPaint: () => void;

/** Resolves when the page has been painted for the first time. Requests that the paint does not need wait for it. */
export const firstPaint = new Promise<void>((resolve) => {
  resolveFirstPaint = resolve;
});

/** Called when the first view is in the document. */
export function awaitFirstPaint(): void {
  runAfterPaint(resolveFirstPaint);
}

/** Runs `work` once after the next paint. Returns a function that cancels it. */
export function runAfterPaint(work: () => void): () => void {
  let timer = setTimeout(work, MAX_WAIT_MS);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    // Callbacks of a frame run before its paint; a task runs after it.
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
