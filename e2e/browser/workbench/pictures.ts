import { join } from "node:path";
import type { Page } from "playwright-core";

const WIDTHS = [390, 1440, 2560];

/** Saves pictures of a page in both color schemes and three widths for review, if GANTRY_SHOTS names a folder for them. */
export async function takePictures(page: Page, name: string): Promise<void> {
  const folder = process.env.GANTRY_SHOTS;
  if (!folder) return;
  const before = page.viewportSize();
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of WIDTHS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: width === 2560 ? 1440 : 844 });
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  if (before) await page.setViewportSize(before);
}
