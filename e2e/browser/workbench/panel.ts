import type { Locator, Page } from "playwright-core";

/** The panel of a session. */
export const panel = (page: Page): Locator => page.getByRole("complementary", { name: "Panel" });

export const panelTab = (page: Page, name: string): Locator =>
  panel(page).getByRole("tablist", { name: "Panel" }).getByRole("tab", { name, exact: true });

type TabName = "Changes" | "Plan" | "Tasks" | "Preview" | "Terminal";

/** Opens the panel if it is closed, and shows a tab. */
export async function showTab(page: Page, name: TabName, { touch = false } = {}): Promise<void> {
  const press = (target: Locator) => (touch ? target.tap() : target.click());
  const toggle = page.getByRole("button", { name: "Panel", exact: true });
  await toggle.waitFor();
  if ((await panel(page).count()) === 0) await press(toggle);
  await press(panelTab(page, name));
  await panel(page).getByRole("tabpanel", { name, exact: true }).waitFor();
}
