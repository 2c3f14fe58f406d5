import type { Page } from "playwright-core";
import { until } from "../../measure.ts";

const LOG = '[role="log"][aria-label="Transcript"]';

/** The time at which the end of the transcript was painted, in milliseconds since the navigation. */
export function tailPainted(tab: Page): Promise<number> {
  return tab.evaluate(
    (selector) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const log = document.querySelector(selector);
          const isThere = log?.querySelector("article") && getComputedStyle(log).opacity === "1";
          const isEnd = log && log.scrollHeight - log.clientHeight - log.scrollTop < 2;
          // The frame after the one with the right position is the first that a person sees.
          requestAnimationFrame(isThere && isEnd ? () => resolve(performance.now()) : look);
        };
        look();
      }),
    LOG,
  );
}

/** Scrolls back by `pixels` per frame; returns the duration of each frame. */
export function scrollFrames(tab: Page, count: number, pixels: number): Promise<number[]> {
  return tab.evaluate(
    ([selector, frames, step]) =>
      new Promise<number[]>((resolve) => {
        const log = document.querySelector(selector);
        log?.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 }));
        const times: number[] = [];
        let last = performance.now();
        const next = (now: number) => {
          times.push(now - last);
          last = now;
          log?.scrollBy(0, -step);
          if (times.length <= frames) requestAnimationFrame(next);
          // The first entry is the time from the call to the first frame.
          else resolve(times.slice(1));
        };
        requestAnimationFrame(next);
      }),
    [LOG, count, pixels] as const,
  );
}

/** The rows in the document, and the events that can be scrolled to. */
export function rowCounts(tab: Page): Promise<{ rows: number; events: number }> {
  return tab.evaluate((selector) => {
    const log = document.querySelector<HTMLElement>(selector);
    return { rows: log?.querySelectorAll("article").length ?? 0, events: Number(log?.dataset.events) };
  }, LOG);
}

/** Scrolls back until the first event is loaded. */
export async function scrollToStart(tab: Page): Promise<void> {
  const step = () =>
    tab.evaluate((selector) => {
      const log = document.querySelector(selector);
      log?.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 }));
      log?.scrollTo(0, 0);
      return log?.querySelector('article[data-seq="1"]') != null;
    }, LOG);
  await until("the first event of the transcript", step, { limitMs: 300_000, everyMs: 5 });
}

/** Presses keys in sequence; returns the time from each press to the next frame. */
export async function keyLatencies(tab: Page, count: number): Promise<number[]> {
  await tab.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { keyTimes: times });
    addEventListener("keydown", ({ timeStamp }) =>
      requestAnimationFrame(() => {
        // A message is handled after the frame has been drawn.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => times.push(performance.now() - timeStamp);
        port2.postMessage(0);
      }),
    );
  });
  const typed = "the quick brown fox jumps over the lazy dog ";
  for (let i = 0; i < count; i++) {
    await tab.keyboard.press(typed[i % typed.length] === " " ? "Space" : (typed[i % typed.length] ?? "x"));
    await tab.waitForTimeout(60);
  }
  return tab.evaluate(() => (window as unknown as { keyTimes: number[] }).keyTimes);
}
