import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../workbench/chromium.ts";
import { listViolations } from "../workbench/violations.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

/** Every view with the accessible name of its region. */
const views = [
  { path: "/", region: "Board" },
  { path: "/inbox", region: "Inbox" },
  { path: "/agents", region: "Agents" },
  { path: "/lanes", region: "Lanes" },
  { path: "/launches", region: "Launches" },
  { path: "/models", region: "Models" },
  { path: "/usage", region: "Usage" },
  { path: "/settings", region: "Settings" },
  { path: "/settings?tab=daemon", region: "Settings" },
  { path: "/settings?tab=defaults", region: "Settings" },
  { path: "/settings?tab=processes", region: "Settings" },
  { path: "/settings?tab=servers", region: "Settings" },
  { path: "/settings?tab=profiles", region: "Settings" },
  { path: "/settings?tab=skills", region: "Settings" },
  { path: "/settings?tab=grants", region: "Settings" },
  { path: "/search?q=answer", region: "Search results" },
  { path: "/new", region: "New session" },
] as const;

const titles = ["Many tools", "Waits", "Asks", "Fails", "Delegates"] as const;
const pictures = join(import.meta.dirname, "../../../.cache/pictures");

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
    it(`is accessible, violates no content policy and logs no errors (${colorScheme})`, async () => {
      const page = await bench.page("/", { colorScheme });
      const errors = await collectErrors(page);
      for (const { path, region } of views) {
        await page.goto(bench.url + path);
        await page.getByRole("region", { name: region, exact: true }).waitFor();
        expect(await listViolations(page), path).toEqual([]);
        await picture(page, colorScheme, path);
      }
      for (const id of sessions) {
        await page.goto(`${bench.url}/s/${id}`);
        await page.getByRole("log", { name: "Transcript" }).getByText("[[").first().waitFor();
        expect(await listViolations(page), id).toEqual([]);
        await picture(page, colorScheme, `/s/${titles[sessions.indexOf(id)]}`);
      }
      expect(errors).toEqual([]);
    }, 600_000);
  }

  for (const width of [390, 800]) {
    it(`fits into ${width} pixels: no view scrolls sideways`, async () => {
      const page = await bench.page("/", { viewport: { width, height: 800 } });
      const paths = [...views.map(({ path }) => path), "/launch", "/settings?tab=schedules"];
      for (const path of [...paths, ...sessions.map((id) => `/s/${id}`)]) {
        await page.goto(bench.url + path);
        await page.locator("section[aria-label]").first().waitFor();
        await page.waitForTimeout(300);
        expect(await page.evaluate(scrollsSideways), path).toEqual([]);
        await picture(page, String(width), path);
      }
      await page.context().close();
    }, 300_000);
  }

  it("has one button to create a session and one link per session", async () => {
    const page = await bench.page("/");
    const links = page.getByRole("navigation", { name: "Sessions" }).getByRole("link");
    await expect.poll(() => links.count(), { timeout: 30_000 }).toBe(sessions.length);
    const names = await links.evaluateAll((all) => all.map((link) => link.getAttribute("aria-label")));
    expect(names.sort()).toEqual([...titles].sort());
    expect(await page.getByRole("button", { name: "New session" }).count()).toBe(1);
  }, 120_000);

  it("removes a session that was deleted elsewhere, also while the daemon was down", async () => {
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

  it("explains an unknown address and an unknown session", async () => {
    const page = await bench.page("/nowhere");
    await page.getByText("Page not found").waitFor();
    await page.goto(`${bench.url}/s/ses_00000000000000000000zz`);
    await page.getByText("Session not found").first().waitFor();
  }, 120_000);
});

/** Collects page errors, console errors and violations of the content security policy. */
async function collectErrors(page: Page): Promise<string[]> {
  const errors: string[] = [];
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      console.error(`the policy forbids ${blockedURI} (${effectiveDirective})`);
    });
  });
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || /Content Security Policy/.test(message.text()))
      errors.push(`${message.text()} ${message.location().url}`);
  });
  return errors;
}

/** Saves a screenshot in `.cache/pictures` for review. A tiny file means that the view is blank. */
async function picture(page: Page, folder: string, path: string): Promise<void> {
  const name = path.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "") || "board";
  const bytes = await page.screenshot({ path: join(pictures, folder, `${name}.png`) });
  expect(bytes.length, name).toBeGreaterThan(10_000);
}

/** The areas that scroll down and are wider than their box. Code and lists of tabs may scroll sideways. */
function scrollsSideways(): string[] {
  const areas = [...document.querySelectorAll<HTMLElement>("body, body *")].filter((element) => {
    const { overflowY } = getComputedStyle(element);
    const mayScroll = element.matches("pre, textarea, [class*=overflow-x-auto]");
    return (overflowY === "auto" || element === document.body) && !mayScroll;
  });
  const wide = areas.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1);
  return wide.map(({ className, scrollWidth, clientWidth }) => `${scrollWidth} > ${clientWidth}: ${className}`);
}
