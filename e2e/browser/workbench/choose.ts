import type { Locator, Page } from "playwright-core";

/** The options of the open picker. */
export const pickerOptions = (page: Page): Locator => page.locator(".picker:popover-open").getByRole("option");

/** Chooses an option of a picker by its value with the mouse, as soon as the option is listed. */
export async function choose(combobox: Locator, value: string): Promise<void> {
  const page = combobox.page();
  await combobox.click();
  await page.locator(`.picker:popover-open [role=option][data-value=${JSON.stringify(value)}]`).click();
  await page.locator(".picker:popover-open").waitFor({ state: "detached" });
}

/** The value of a picker. */
export async function chosenValue(combobox: Locator): Promise<string | null> {
  return combobox.getAttribute("data-value");
}
