import { join } from "node:path";
import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../workbench/chromium.ts";
import { listWideAreas } from "../workbench/layout.ts";
import { prepareAddresses } from "../workbench/page-routes.ts";
import { findViolations, settle } from "../workbench/violations.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

const WIDTHS = [390, 1440, 2560] as const;

const titles = ["Many tools", "Waits", "Asks", "Fails", "Delegates"] as const;
const pictures = join(import.meta.dirname, "../../../.cache/pictures");

describe.skipIf(!CHROMIUM.met)("every view", needs(CHROMIUM), () => {
  let bench: Workbench;
  let sessions: string[];
  let addresses: string[];

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
    addresses = await prepareAddresses(bench, sessions);
  }, 240_000);
  afterAll(() => bench.close());

  /** The title of a session instead of its id. */
  const pictureName = (address: string) =>
    `/s/${titles[sessions.indexOf(address.slice(3))] ?? ""}`.replace(/^\/s\/$/, address);

  it("is accessible in both color schemes at every width, violates no content policy and logs no errors", async () => {
    const page = await bench.page("/");
    await page.emulateMedia({ reducedMotion: "reduce" });
    const errors = await collectErrors(page);
    const found: Record<string, string[]> = {};
    for (const address of addresses) {
      await page.setViewportSize({ width: WIDTHS[0], height: 844 });
      await page.goto(bench.url + address);
      await page.locator("section[aria-label], [role=log]").first().waitFor();
      await settle(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: width > 2000 ? 1440 : 844 });
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          // Only colors differ between the schemes.
          const violations = await findViolations(page, colorScheme === "dark" ? ["color-contrast"] : undefined);
          const wide = width === 390 ? await listWideAreas(page) : [];
          if (violations.length + wide.length > 0)
            found[`${address} ${width} ${colorScheme}`] = [...violations, ...wide];
          if (width < 2000) await picture(page, `${colorScheme}-${width}`, pictureName(address));
        }
      }
    }
    expect(found).toEqual({});
    expect(errors).toEqual([]);
  }, 600_000);

  it("has one button to create a session and one link per session", async () => {
    const page = await bench.page("/");
    const links = page.getByRole("navigation", { name: "Sessions" }).getByRole("link");
    const all = (await bench.client.sessions.list({ limit: 100 })).sessions.map(({ title }) => title);
    expect(all).toEqual(expect.arrayContaining([...titles]));
    await expect.poll(() => links.count(), { timeout: 30_000 }).toBe(all.length);
    const names = await links.evaluateAll((all) => all.map((link) => link.getAttribute("aria-label")));
    expect(names.sort()).toEqual(all.sort());
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
