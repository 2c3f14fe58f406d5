import type { Page } from "playwright-core";
import { until } from "../measure.ts";

const LOG = '[role="log"][aria-label="Transcript"]';

/** When the end of the transcript was painted, in milliseconds since the navigation. */
export function tailPainted(tab: Page): Promise<number> {
  return tab.evaluate(
    (selector) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const log = document.querySelector(selector);
          const isThere = log?.querySelector("article") && getComputedStyle(log).opacity === "1";
          const isEnd = log && log.scrollHeight - log.clientHeight - log.scrollTop < 2;
          // The frame after the one in which it stands right is the first in which a person sees it.
          requestAnimationFrame(isThere && isEnd ? () => resolve(performance.now()) : look);
        };
        look();
      }),
    LOG,
  );
}

/** Scrolls back by so many pixels a frame; gives how long each frame took. */
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
          // The first is from the call to the frame, not a frame.
          else resolve(times.slice(1));
        };
        requestAnimationFrame(next);
      }),
    [LOG, count, pixels] as const,
  );
}

/** Rows in the document, and events that can be scrolled through. */
export function rowCounts(tab: Page): Promise<{ rows: number; events: number }> {
  return tab.evaluate((selector) => {
    const log = document.querySelector<HTMLElement>(selector);
    return { rows: log?.querySelectorAll("article").length ?? 0, events: Number(log?.dataset.events) };
  }, LOG);
}

/** Goes back page by page until the first event is there. */
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

/** Presses keys one after the other; gives for each the time from the press to the next frame. */
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
  const words = "the quick brown fox jumps over the lazy dog ";
  for (let i = 0; i < count; i++) {
    await tab.keyboard.press(words[i % words.length] === " " ? "Space" : (words[i % words.length] ?? "x"));
    await tab.waitForTimeout(60);
  }
  return tab.evaluate(() => (window as unknown as { keyTimes: number[] }).keyTimes);
}
