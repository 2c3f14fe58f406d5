import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The accessibility violations of a page, or of the part that a selector names, once it is still. */
export async function listViolations(page: Page, within = "html"): Promise<string[]> {
  await settle(page);
  // The page's policy forbids adding a script, but the browser's debugger may evaluate one.
  await page.evaluate(axe);
  const found = await page.evaluate(async (selector) => {
    const { axe } = globalThis as unknown as { axe: { run(selector: string): Promise<{ violations: Violation[] }> } };
    type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };
    const { violations } = await axe.run(selector);
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
  }, within);
  return found;
}

/** Waits until the page has been still for a moment: colors in transition fail the contrast check. */
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
