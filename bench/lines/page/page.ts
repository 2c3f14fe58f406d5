import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "@gantry/client";
import { discover } from "@gantry/client/node";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { findChromium } from "../../../e2e/browser/workbench/chromium.ts";
import { preparePage } from "../../../e2e/browser/workbench/workbench.ts";
import { type Context, endMarked, type Line } from "../../context.ts";
import { gantry } from "../../gantry.ts";
import { makeHistory, SESSION } from "../../made-history.ts";
import { median, percentile } from "../../measure.ts";
import type { Cell, Row } from "../../report/table.ts";
import { keyLatencies, rowCounts, scrollFrames, scrollToStart, tailPainted } from "./page-probes.ts";

const RUNS = 10;
const AGAIN = 5;
const FRAMES = 600;
const PIXELS = 400;
const KEYS = 60;

type Figures = Record<
  | "openMs"
  | "worstOpenMs"
  | "layouts"
  | "styles"
  | "switchMs"
  | "worstFrameMs"
  | "frameMs"
  | "share"
  | "heapMb"
  | "keyMs"
  | "worstKeyMs",
  Cell
> & { opened?: number[] };

/** The page with a very long transcript, in a real browser. */
export const page: Line = {
  name: "page",
  async run(context) {
    const size = context.pick({ full: 100_000, quick: 20_000 });
    const figures = findChromium() ? await measure(context, size) : figuresMissing("Chromium is not installed");
    return {
      name: "page",
      title: "The page with a long transcript",
      about: `A session of ${size.toLocaleString("en")} events in headless Chromium, 1440 × 900, without a graphics card. Opened: from the start of the navigation to the frame in which the end of the transcript is painted, the median and the worst of ten runs, with the page's files in the browser's cache; layouts and style computations are counted, because a busy machine does not change them; from the board: from the click, the median of five. Scrolling: 600 frames of 400 pixels each, while older events load. Rows: row elements in the document per six events that can be scrolled to. Memory: the heap after scrolling the transcript to its first event. Keys: from the press to the next frame, while the session streams 200 deltas a second.`,
      rows: rowsOf(figures),
    };
  },
};

function rowsOf(figures: Figures): Row[] {
  return [
    { what: "opened, the end is painted", unit: "ms", gantry: figures.openMs },
    {
      what: "opened, the end is painted, worst run",
      unit: "ms",
      gantry: figures.worstOpenMs,
      budget: 250,
      runs: figures.opened,
    },
    { what: "layouts until the end is painted, most of ten", unit: "", gantry: figures.layouts, budget: 12 },
    { what: "style computations until then, most of ten", unit: "", gantry: figures.styles, budget: 20 },
    { what: "from the board, the end is painted", unit: "ms", gantry: figures.switchMs, budget: 300 },
    { what: "scrolling, worst frame", unit: "ms", gantry: figures.worstFrameMs, budget: 50 },
    { what: "scrolling, 99 of 100 frames", unit: "ms", gantry: figures.frameMs },
    { what: "rows in the document per six events", unit: "×", gantry: figures.share, budget: 1 },
    { what: "heap after scrolling to the start", unit: "MB", gantry: figures.heapMb, budget: 100 },
    { what: "key to frame at 200 deltas a second", unit: "ms", gantry: figures.keyMs, budget: 50 },
    { what: "the slowest of 60 keys", unit: "ms", gantry: figures.worstKeyMs, budget: 50 },
  ];
}

function figuresMissing(cannot: string): Figures {
  const cell = { cannot };
  return {
    openMs: cell,
    worstOpenMs: cell,
    layouts: cell,
    styles: cell,
    switchMs: cell,
    worstFrameMs: cell,
    frameMs: cell,
    share: cell,
    heapMb: cell,
    keyMs: cell,
    worstKeyMs: cell,
  };
}

async function measure(context: Context, size: number): Promise<Figures> {
  preparePage();
  const home = context.scratch("page");
  context.log(`page: making ${size.toLocaleString("en")} events …`);
  makeHistory(home, size);
  const server = await gantry.start(home);
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
  try {
    const tab = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    const { url, token } = discover(join(home, "gantry"));
    const client = createClient({ url, token });
    const { ticket } = await client.ticket();
    await tab.goto(`${url}/#ticket=${ticket}`);
    await tab.getByRole("region", { name: "Board", exact: true }).waitFor();
    return { ...(await readingFigures(tab, url)), ...(await typingFigures(tab, url, client, home)) };
  } finally {
    await browser.close();
    await server.stop();
    endMarked(server.mark);
  }
}

type TypingFigures = Pick<Figures, "keyMs" | "worstKeyMs">;

async function readingFigures(tab: Page, url: string): Promise<Omit<Figures, keyof TypingFigures>> {
  const opened: number[] = [];
  const layouts: number[] = [];
  const styles: number[] = [];
  const devtools = await tab.context().newCDPSession(tab);
  await devtools.send("Performance.enable");
  for (let i = 0; i < RUNS; i++) {
    await tab.goto(`${url}/s/${SESSION}`);
    opened.push(await tailPainted(tab));
    const { metrics } = await devtools.send("Performance.getMetrics");
    const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
    layouts.push(metric("LayoutCount"));
    styles.push(metric("RecalcStyleCount"));
  }
  const switched: number[] = [];
  for (let i = 0; i < AGAIN; i++) switched.push(await openFromBoard(tab, url));
  const frames = await scrollFrames(tab, FRAMES, PIXELS);
  const { rows, events } = await rowCounts(tab);
  await scrollToStart(tab);
  return {
    opened,
    openMs: median(opened),
    worstOpenMs: Math.max(...opened),
    layouts: Math.max(...layouts),
    styles: Math.max(...styles),
    switchMs: median(switched),
    worstFrameMs: Math.max(...frames),
    frameMs: percentile(frames, 0.99),
    share: (rows * 6) / events,
    heapMb: await heap(devtools),
  };
}

async function typingFigures(tab: Page, url: string, client: Client, home: string): Promise<TypingFigures> {
  const cwd = join(home, "work");
  mkdirSync(cwd, { recursive: true });
  const { id } = await client.sessions.create({ agent: "scripted", cwd, mode: "full-auto" });
  await tab.goto(`${url}/s/${id}`);
  await tab.getByRole("textbox", { name: "Message" }).focus();
  // One delta every five milliseconds, for longer than the typing takes.
  await client.sessions.send(id, { text: "[[slow:6000:5]]" });
  await tab.getByRole("log", { name: "Transcript" }).getByText("word0").waitFor();
  const keys = await keyLatencies(tab, KEYS);
  return { keyMs: percentile(keys, 0.95), worstKeyMs: Math.max(...keys) };
}

/** Reloads the board each time, so that no part of the session is cached in the page. */
async function openFromBoard(tab: Page, url: string): Promise<number> {
  await tab.goto(`${url}/`);
  const link = tab.getByRole("navigation", { name: "Sessions" }).getByRole("link").first();
  await link.waitFor();
  await link.evaluate((element: HTMLElement) => {
    performance.mark("clicked");
    element.click();
  });
  const painted = await tailPainted(tab);
  return painted - (await tab.evaluate(() => performance.getEntriesByName("clicked")[0]?.startTime ?? 0));
}

async function heap(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}
