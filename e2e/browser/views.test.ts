import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "./chromium.ts";
import { preparePage, Workbench } from "./workbench.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Every view, with the role and name by which it is found. */
const views = [
  { path: "/", region: "Board" },
  { path: "/inbox", region: "Inbox" },
  { path: "/agents", region: "Agents" },
  { path: "/lanes", region: "Lanes" },
  { path: "/models", region: "Models" },
  { path: "/usage", region: "Usage" },
  { path: "/settings", region: "Settings" },
  { path: "/settings?tab=daemon", region: "Settings" },
  { path: "/settings?tab=servers", region: "Settings" },
  { path: "/settings?tab=profiles", region: "Settings" },
  { path: "/settings?tab=skills", region: "Settings" },
  { path: "/settings?tab=grants", region: "Settings" },
  { path: "/search?q=answer", region: "Search results" },
  { path: "/new", region: "New session" },
] as const;

const titles = ["Many tools", "Waits", "Asks", "Fails", "Delegates"] as const;
const pictures = join(import.meta.dirname, "../../.cache/pictures");

describe.skipIf(!CHROMIUM.met)("every view", needs(CHROMIUM), () => {
  let bench: Workbench;
  let sessions: string[];

  beforeAll(async () => {
    preparePage();
    bench = await Workbench.open();
    const made = await Promise.all([
      bench.session("[[multi]]", { title: titles[0], mode: "full-auto" }),
      bench.session("[[write]]", { title: titles[1] }),
      bench.session("[[ask]]", { title: titles[2] }),
      bench.session("[[error:auth]]", { title: titles[3] }),
      bench.session("[[subagent]]", { title: titles[4], mode: "full-auto" }),
    ]);
    sessions = made.map((session) => session.id);
    for (const id of sessions) await bench.waitForState(id, "idle", "waiting");
  }, 240_000);
  afterAll(() => bench.close());

  for (const colorScheme of ["light", "dark"] as const) {
    it(`is accessible, breaks no policy and says nothing in the console (${colorScheme})`, async () => {
      const page = await bench.page("/", { colorScheme });
      const complaints = await listen(page);
      for (const { path, region } of views) {
        await page.goto(bench.url + path);
        await page.getByRole("region", { name: region, exact: true }).waitFor();
        expect(await violations(page), path).toEqual([]);
        await picture(page, colorScheme, path);
      }
      for (const id of sessions) {
        await page.goto(`${bench.url}/s/${id}`);
        await page.getByRole("log", { name: "Transcript" }).getByText("[[").first().waitFor();
        expect(await violations(page), id).toEqual([]);
        await picture(page, colorScheme, `/s/${titles[sessions.indexOf(id)]}`);
      }
      expect(complaints).toEqual([]);
    }, 600_000);
  }

  it("has one way to make a session, and one link for each session", async () => {
    const page = await bench.page("/");
    const links = page.getByRole("navigation", { name: "Sessions" }).getByRole("link");
    await expect.poll(() => links.count()).toBe(sessions.length);
    const names = await links.evaluateAll((all) => all.map((link) => link.getAttribute("aria-label")));
    expect(names.sort()).toEqual([...titles].sort());
    expect(await page.getByRole("button", { name: "New session" }).count()).toBe(1);
  }, 120_000);

  it("loses a session that is removed elsewhere, also while the daemon was away", async () => {
    const [first, second] = await Promise.all([bench.session("[[text]]"), bench.session("[[text]]")]);
    const page = await bench.page("/");
    const link = (id: string) => page.locator(`nav a[href="/s/${id}"]`);
    await Promise.all([link(first.id).waitFor(), link(second.id).waitFor()]);
    await bench.client.sessions.delete(first.id);
    await link(first.id).waitFor({ state: "detached" });
    await page.route("**/v1/**", (route) => route.abort());
    await bench.kill();
    await page.getByRole("alert").waitFor();
    await bench.start();
    await bench.client.sessions.delete(second.id);
    await page.unroute("**/v1/**");
    await link(second.id).waitFor({ state: "detached" });
  }, 120_000);

  it("tells where there is nothing", async () => {
    const page = await bench.page("/nowhere");
    await page.getByText("Page not found").waitFor();
    await page.goto(`${bench.url}/s/ses_00000000000000000000zz`);
    await page
      .getByText(/no such session|not there|does not exist|gone/i)
      .first()
      .waitFor();
  }, 120_000);
});

/** What the browser complains of: errors, and whatever the policy of the page forbids. */
async function listen(page: Page): Promise<string[]> {
  const complaints: string[] = [];
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      console.error(`the policy forbids ${blockedURI} (${effectiveDirective})`);
    });
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || /Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

/** Leaves a picture of the view in `.cache/pictures`, for people to look at; one of a single colour shows no view. */
async function picture(page: Page, colorScheme: string, path: string): Promise<void> {
  const name = path.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "") || "board";
  const bytes = await page.screenshot({ path: join(pictures, colorScheme, `${name}.png`) });
  expect(bytes.length, name).toBeGreaterThan(15_000);
}

async function violations(page: Page): Promise<string[]> {
  await settle(page);
  // The page's own policy forbids to add a script; the browser's console may evaluate one.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  });
  return found;
}

/** Until nothing has changed for a moment: a colour in the middle of a transition has no contrast to speak of. */
function settle(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 300);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 300);
        }).observe(document.body, { subtree: true, childList: true });
        setTimeout(resolve, 3000);
      }),
  );
}
