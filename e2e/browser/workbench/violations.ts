import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The accessibility violations of a page, or of the part that a selector names, once it is still. */
export async function listViolations(page: Page, within = "html"): Promise<string[]> {
  await settle(page);
  return findViolations(page, undefined, within);
}

/** The present accessibility violations of a page, of all rules or of some. */
export async function findViolations(page: Page, rules?: readonly string[], within = "html"): Promise<string[]> {
  // The page's policy forbids adding a script, but the browser's debugger may evaluate one.
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(
    async ({ within, rules }) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };
      type Axe = { run(selector: string, options: object): Promise<{ violations: Violation[] }> };
      const options = rules ? { runOnly: { type: "rule", values: rules } } : {};
      const { violations } = await axe.run(within, { ...options, resultTypes: ["violations"] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
    },
    { within, rules },
  );
}

/** Waits until the page has been still for a moment: colors in transition fail the contrast check. */
export function settle(page: Page): Promise<void> {
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
