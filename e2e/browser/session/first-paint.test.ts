import { join } from "node:path";
import { type Draft, draft } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM, findChromium } from "../workbench/chromium.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";
import { writeSession } from "../workbench/written-session.ts";

const LONG = "ses_long";
const EVENTS = 3000;
/** On a busy machine the events can arrive after the page has stopped waiting for them; another load then tries again. */
const ATTEMPTS = 12;

let bench: Workbench;

beforeAll(async () => {
  if (!findChromium()) return;
  preparePage();
  bench = await Workbench.open();
  await bench.kill();
  writeSession(join(bench.home, "gantry"), { id: LONG, title: "Long", cwd: bench.folder }, steps());
  await bench.start();
}, 240_000);
afterAll(() => bench?.close());

function* steps(): Generator<Draft> {
  for (let n = 2; n <= EVENTS; n++) yield draft("message.done", { item: `itm_${n}`, text: `Step ${n}.` });
}

type Frame = { fetched: string[]; rows: number; toEnd: number; last: string };

/** Records each frame from the first one with rows on: what the page has requested so far and where the transcript is. */
function recordFrames(): void {
  const fetched: string[] = [];
  const frames: Frame[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = (...args) => {
    fetched.push(String(args[0]).replace(location.origin, ""));
    return fetch(...args);
  };
  const look = () => {
    const log = document.querySelector('[role="log"]');
    const articles = log?.querySelectorAll("article") ?? [];
    if (log && articles.length > 0) {
      const toEnd = log.scrollHeight - log.clientHeight - log.scrollTop;
      const last = articles[articles.length - 1]?.textContent ?? "";
      frames.push({ fetched: [...fetched], rows: articles.length, toEnd, last });
    }
    requestAnimationFrame(look);
  };
  look();
  Object.assign(globalThis, { frames });
}

describe.skipIf(!CHROMIUM.met)("the first paint of a session", needs(CHROMIUM), () => {
  it("takes two requests and renders only the rows at the end, which never move", async () => {
    const page = await bench.page("/");
    await page.addInitScript(recordFrames);
    for (let attempt = 1; ; attempt++) {
      await page.goto(`${bench.url}/s/${LONG}`);
      await page.waitForTimeout(1000);
      const frames = await page.evaluate(() => (globalThis as unknown as { frames: Frame[] }).frames);
      expect(frames.length).toBeGreaterThan(0);
      for (const { toEnd, rows, last } of frames) {
        expect(toEnd).toBeLessThan(2);
        expect(rows).toBeLessThan(80);
        expect(last).toContain(`Step ${EVENTS}.`);
      }
      const base = `/v1/sessions/${LONG}`;
      const requests = frames[0]?.fetched.toSorted();
      if (attempt < ATTEMPTS && requests?.length !== 2) continue;
      expect(requests).toEqual([base, `${base}/events?tail=150`]);
      break;
    }
    await page.context().close();
  });
});
