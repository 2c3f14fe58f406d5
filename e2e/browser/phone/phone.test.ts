import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { listSmallTargets, listWideAreas } from "../workbench/layout.ts";
import { prepareAddresses } from "../workbench/page-routes.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

const pictures = join(import.meta.dirname, "../../../.cache/pictures/phone");
const PHONE = { viewport: { width: 390, height: 844 }, touch: true };
const LEAST = 40;

describe.skipIf(!CHROMIUM.met)("on a phone", needs(CHROMIUM), () => {
  let bench: Workbench;
  let addresses: string[];

  beforeAll(async () => {
    preparePage();
    bench = await Workbench.open();
    const made = await Promise.all([
      bench.session("[[multi]]", { title: "Many tools", mode: "full-auto" }),
      bench.session("[[write]]", { title: "Waits" }),
      bench.session("[[ask]]", { title: "Asks" }),
      bench.session("[[error:auth]]", { title: "Fails" }),
      ...Array.from({ length: 8 }, (_, index) => bench.session("[[text]]", { title: `Done ${index + 1}` })),
    ]);
    for (const { id } of made) await bench.waitForState(id, "idle", "waiting");
    addresses = await prepareAddresses(
      bench,
      made.slice(0, 4).map(({ id }) => id),
    );
  }, 240_000);
  afterAll(() => bench?.close());

  async function visitAll(look: (page: Page) => Promise<string[]>): Promise<Record<string, string[]>> {
    const page = await bench.page("/", PHONE);
    const found: Record<string, string[]> = {};
    for (const address of addresses) {
      await page.goto(bench.url + address);
      await page.locator("section[aria-label], [role=log]").first().waitFor();
      await page.waitForTimeout(400);
      const problems = await look(page);
      if (problems.length > 0) found[address] = [...new Set(problems)];
      const name = address.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "") || "board";
      await page.screenshot({ path: join(pictures, `${name}.png`) });
    }
    await page.context().close();
    return found;
  }

  it("no view scrolls sideways, shows key hints or has a control that a finger misses", async () => {
    const found = await visitAll(async (page) => [
      ...(await listWideAreas(page)),
      ...(await listSmallTargets(page, LEAST)),
      ...(await page.locator("kbd:visible").allTextContents()).map((key) => `key hint ${key}`),
    ]);
    expect(found).toEqual({});
  }, 300_000);

  it("the board is one list: a long column does not scroll in a separate box", async () => {
    const page = await bench.page("/", PHONE);
    await page.getByRole("region", { name: "Board" }).getByText("Done 8").waitFor();
    const boxes = await page.evaluate(() => {
      const inside = [...document.querySelectorAll<HTMLElement>("[data-column], [data-column] *")];
      return inside.filter((element) => {
        const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowY);
        return scrolls && element.scrollHeight > element.clientHeight + 1;
      }).length;
    });
    expect(boxes).toBe(0);
    const last = page.getByRole("region", { name: "Done" }).getByRole("listitem").last();
    await last.scrollIntoViewIfNeeded();
    expect(await last.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThanOrEqual(844);
    await page.context().close();
  });

  it("a request is allowed with a tap on the board, in the inbox and in its session", async () => {
    for (const path of ["/", "/inbox", undefined]) {
      const asked = await bench.session("[[write]]", { title: "By touch" });
      await bench.waitForState(asked.id, "waiting");
      const page = await bench.page(path ?? `/s/${asked.id}`, PHONE);
      const card = path === "/" ? page.getByRole("listitem") : page.getByRole("listitem").or(page.getByRole("log"));
      await card
        .filter({ hasText: path ? "By touch" : "hello.txt" })
        .getByRole("button", { name: "Allow", exact: true })
        .first()
        .tap();
      await bench.waitForState(asked.id, "idle");
      await page.context().close();
    }
  });

  it("new messages reach screen readers, throttled, and a streamed word does not", async () => {
    const session = await bench.session("[[text]]", { title: "Read out" });
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`, PHONE);
    const region = page.getByRole("status", { name: "Announcements" });
    expect(await region.getAttribute("aria-live")).toBe("polite");
    expect(await page.getByRole("log", { name: "Transcript" }).getAttribute("aria-live")).toBe("off");
    await region.evaluate((element) => {
      const changes: number[] = [];
      Object.assign(globalThis, { changes });
      new MutationObserver(() => changes.push(performance.now())).observe(element, {
        ...{ childList: true, characterData: true, subtree: true },
      });
    });
    await bench.client.sessions.send(session.id, { text: "[[slow:60:20]]" });
    await eventually("the announcement", async () => ((await region.textContent()) ?? "") !== "");
    await bench.waitForState(session.id, "idle");
    const changes = await page.evaluate(() => (globalThis as unknown as { changes: number[] }).changes);
    expect(changes.length).toBeLessThan(6);
    const other = await bench.session("[[write]]", { title: "Elsewhere" });
    await eventually(
      "the request",
      async () => (await region.textContent())?.includes("Elsewhere: Needs you") ?? false,
    );
    await bench.client.answer((await bench.waitForState(other.id, "waiting")).inputs[0]?.id ?? "", {
      decision: "deny",
    });
    await page.context().close();
  });
});
