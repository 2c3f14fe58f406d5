import { join } from "node:path";
import { type Draft, draft } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM, findChromium } from "../workbench/chromium.ts";
import { hostileDrafts } from "../workbench/hostile-texts.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";
import { writeSession } from "../workbench/written-session.ts";

const LONG = "ses_long";
const HOSTILE = "ses_hostile";
const EVENTS = 6000;

let bench: Workbench;

beforeAll(async () => {
  if (!findChromium()) return;
  preparePage();
  bench = await Workbench.open();
  await bench.kill();
  const home = join(bench.home, "gantry");
  writeSession(home, { id: LONG, title: "Long", cwd: bench.folder }, longLog());
  writeSession(home, { id: HOSTILE, title: "Hostile", cwd: bench.folder }, hostileDrafts());
  await bench.start();
}, 240_000);
afterAll(() => bench?.close());
afterEach(async () => {
  for (const context of bench?.browser.contexts() ?? []) await context.close();
});

/** Rows of varying heights, grouped into turns. */
function* longLog(): Generator<Draft> {
  for (let n = 2; n <= EVENTS; n++) {
    const turn = `trn_${Math.floor(n / 40)}`;
    if (n % 40 === 0) yield draft("turn.ended", { outcome: "completed", durationMs: n }, { turn });
    else
      yield draft(
        "message.done",
        { item: `itm_${n}`, text: `Step ${n}.${" More of it.".repeat((n * 37) % 90)}` },
        { turn },
      );
  }
}

const log = (page: Page) => page.getByRole("log", { name: "Transcript" });
const jump = (page: Page) => page.getByRole("button", { name: /Jump to latest/ });

async function open(path: string): Promise<Page> {
  const page = await bench.page(path);
  await log(page).locator("article").first().waitFor();
  await waitForLayout(page);
  return page;
}

/** The distance from the bottom of the viewport to the end of the transcript. */
function distanceToEnd(page: Page): Promise<number> {
  return log(page).evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
}

/** Waits until the scroll position is stable. */
async function waitForLayout(page: Page): Promise<void> {
  let before = "";
  await eventually("the transcript is stable", async () => {
    const now = await log(page).evaluate(
      (element) => `${element.scrollTop} ${element.scrollHeight} ${getComputedStyle(element).opacity}`,
    );
    const same = now === before && now.endsWith(" 1");
    before = now;
    await page.waitForTimeout(100);
    return same;
  });
}

/** The first fully visible row and its offset from the top edge. */
function anchor(page: Page): Promise<{ key: string; top: number }> {
  return log(page).evaluate((element) => {
    const edge = element.getBoundingClientRect().top;
    const rows = [...element.querySelectorAll<HTMLElement>("article")];
    const first = rows.find((row) => row.getBoundingClientRect().top >= edge);
    return { key: first?.dataset.key ?? "", top: (first?.getBoundingClientRect().top ?? 0) - edge };
  });
}

function topOf(page: Page, key: string): Promise<number> {
  return log(page).evaluate((element, wanted) => {
    const row = [...element.querySelectorAll<HTMLElement>("article")].find((own) => own.dataset.key === wanted);
    return row ? row.getBoundingClientRect().top - element.getBoundingClientRect().top : Number.NaN;
  }, key);
}

async function wheel(page: Page, dy: number): Promise<void> {
  await log(page).hover();
  const before = await log(page).evaluate((element) => element.scrollTop);
  await page.mouse.wheel(0, dy);
  await eventually("the wheel moves it", () => log(page).evaluate((element, was) => element.scrollTop !== was, before));
  await waitForLayout(page);
}

describe.skipIf(!CHROMIUM.met)("the transcript", needs(CHROMIUM), () => {
  it("streams a text that is always a prefix of the final text", async () => {
    const { id } = await bench.session("[[text]]");
    await bench.waitForState(id, "idle");
    const page = await open(`/s/${id}`);
    await bench.client.sessions.send(id, { text: "[[slow:200:30]]" });
    const text = log(page).locator("[data-row=message] .prose", { hasText: "word0" });
    await text.waitFor();
    const seen: string[] = [];
    await eventually("the turn's end", async () => {
      seen.push((await text.textContent()) ?? "");
      return (await bench.client.sessions.get(id)).state === "idle";
    });
    const { events } = await bench.client.sessions.events(id);
    const message = events.findLast((event) => event.type === "message.done");
    await eventually("the whole text", async () => (await text.textContent())?.trim() === message?.data.text.trim());
    expect(new Set(seen).size).toBeGreaterThan(3);
    for (const part of seen) expect(message?.data.text.startsWith(part.trim())).toBe(true);
  });

  it("opens at the end and sticks to it", async () => {
    const page = await open(`/s/${LONG}`);
    expect(await distanceToEnd(page)).toBeLessThan(2);
    await log(page)
      .getByText(`Step ${EVENTS - 1}.`)
      .waitFor();
    await bench.client.sessions.send(LONG, { text: "[[burst:400]]" });
    await bench.waitForState(LONG, "idle");
    await log(page).getByText("message 399", { exact: true }).or(log(page).getByText("Done in")).last().waitFor();
    await eventually("the end is in view", async () => (await distanceToEnd(page)) < 2);
    expect(await jump(page).count()).toBe(0);
  });

  it("keeps the position after the user scrolled back, counts new rows, and jumps to the end", async () => {
    const page = await open(`/s/${LONG}`);
    await wheel(page, -3000);
    const { key, top } = await anchor(page);
    await bench.client.sessions.send(LONG, { text: "[[slow:60:10]]" });
    await bench.waitForState(LONG, "idle");
    await page.getByRole("button", { name: /Jump to latest\s*\d+ new/ }).waitFor();
    expect(Math.abs((await topOf(page, key)) - top)).toBeLessThanOrEqual(2);
    await jump(page).click();
    await eventually("the end is in view", async () => (await distanceToEnd(page)) < 2);
    await jump(page).waitFor({ state: "detached" });
  });

  it("does not move visible rows when older events load or the width changes", async () => {
    const page = await bench.page("/");
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/events\?after=/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${bench.url}/s/${LONG}`);
    await log(page).locator("article").first().waitFor();
    await waitForLayout(page);
    for (let turn = 0; turn < 3; turn++) await wheel(page, -1500);
    const before = await log(page).evaluate((element) => element.scrollHeight);
    const { key, top } = await anchor(page);
    letGo();
    await eventually("older events", () =>
      log(page).evaluate((element, was) => element.scrollHeight > was + 2000, before),
    );
    await waitForLayout(page);
    expect(Math.abs((await topOf(page, key)) - top)).toBeLessThanOrEqual(2);
    await page.setViewportSize({ width: 1000, height: 900 });
    await waitForLayout(page);
    const row = log(page).locator(`article[data-key="${key}"]`);
    expect(await row.count()).toBe(1);
  });

  it("scrolls to the first event and back to the last with few rows in the document", async () => {
    const page = await open(`/s/${LONG}`);
    let most = 0;
    await eventually("the beginning", async () => {
      await log(page).evaluate((element) => element.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 })));
      await log(page).evaluate((element) => element.scrollTo(0, 0));
      most = Math.max(most, await log(page).locator("article").count());
      return (await log(page).locator('article[data-seq="1"]').count()) > 0;
    });
    expect(most).toBeLessThan(120);
    await jump(page).click();
    await eventually("the end is in view", async () => (await distanceToEnd(page)) < 2);
  });

  it("scrolls to the event in the address and highlights it", async () => {
    const page = await open(`/s/${LONG}`);
    await page.evaluate(() => {
      location.hash = "#1501";
    });
    const marked = log(page).locator('article[data-seq="1501"]');
    await marked.waitFor();
    await waitForLayout(page);
    const top = await topOf(page, "item:itm_1501");
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(300);
    await page.goto("about:blank");
    await page.goto(`${bench.url}/s/${LONG}#77`);
    await log(page).locator('article[data-seq="77"]').waitFor();
    await waitForLayout(page);
    expect(await topOf(page, "item:itm_77")).toBeLessThan(300);
  });

  it("selects rows and acts on them by keyboard", async () => {
    const { id } = await bench.session("[[think]]");
    await bench.waitForState(id, "idle");
    const page = await open(`/s/${id}`);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const current = log(page).locator("article[aria-current=true]");
    for (let count = 0; count < 3; count++) await page.keyboard.press("j");
    expect(await current.getAttribute("data-row")).toBe("reasoning");
    await page.keyboard.press("o");
    await current.locator(".prose").getByText("First A, then B.").waitFor();
    await page.keyboard.press("Shift+C");
    await current.locator(".prose").waitFor({ state: "detached" });
    await page.keyboard.press("r");
    const raw = page.getByRole("dialog", { name: /reasoning\.done/ });
    await raw.getByText('"reasoning.done"').waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("#");
    await eventually("the address", async () => /#\d+$/.test(page.url()));
    await log(page).locator("[data-row=user]").hover();
    await log(page).locator("[data-row=user]").getByRole("button", { name: "Row actions" }).click();
    await page.getByRole("menuitem", { name: "Raw events" }).click();
    await page
      .getByRole("dialog", { name: /message\.user/ })
      .getByRole("button", { name: "Next event" })
      .click();
    await page.getByRole("dialog", { name: /message\.delivery/ }).waitFor();
  });

  it("shows hostile text without executing it", async () => {
    const page = await bench.page("/");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("dialog", (dialog) => asked.push(`dialog ${dialog.message()}`));
    await page.goto(`${bench.url}/s/${HOSTILE}`);
    await log(page).getByText("<script>").first().waitFor();
    await log(page).getByText("U+202E").first().waitFor();
    await waitForLayout(page);
    await log(page).evaluate((element) => element.scrollTo(0, 0));
    await waitForLayout(page);
    const found = await page.evaluate(() => {
      const root = document.querySelector("[role=log]");
      const links = [...(root?.querySelectorAll("a") ?? [])].map((link) => link.protocol);
      return {
        elements: root?.querySelectorAll("script, iframe, object, embed, form, style, link, meta").length,
        handlers: [...(root?.querySelectorAll("*") ?? [])].filter((own) =>
          own.getAttributeNames().some((name) => name.startsWith("on")),
        ).length,
        links: [...new Set(links)],
        harmed: "harmed" in window,
      };
    });
    expect(found).toEqual({ elements: 0, handlers: 0, links: ["https:"], harmed: false });
    expect(asked.filter((url) => !url.startsWith(bench.url) && !url.startsWith("data:"))).toEqual([]);
  });
});
