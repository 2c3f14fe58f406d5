import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { listSmallTargets, listWideAreas } from "../workbench/layout.ts";
import { listAddresses } from "../workbench/page-routes.ts";
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
    const slots = [{ agent: "scripted" }, { agent: "scripted" }];
    const launch = await bench.client.launches.create({ prompt: "[[text]]", cwd: bench.folder, slots });
    for (const { id } of made) await bench.waitForState(id, "idle", "waiting");
    const { lanes } = await eventually("the lanes", async () => {
      const list = await bench.client.call("listLanes", { query: { cwd: bench.folder } });
      return list.lanes.some(({ kind }) => kind === "worktree") ? list : undefined;
    });
    const lane = lanes.find(({ kind }) => kind === "worktree");
    addresses = listAddresses({
      "/s/:id": made.slice(0, 4).map(({ id }) => `/s/${id}`),
      "/lanes/:id": [`/lanes/${lane?.id}`],
      "/launches/:id": [`/launches/${launch.id}`],
      "/compare": [`/compare?lanes=${lane?.id}`],
      "/search": ["/search?q=answer"],
    });
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
});
