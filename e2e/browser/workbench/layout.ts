import type { Page } from "playwright-core";

/** The areas that scroll down and are wider than their box, and the window. Code and lists of tabs may scroll sideways. */
export function listWideAreas(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const areas = [...document.querySelectorAll<HTMLElement>("html, body, body *")].filter((element) => {
      const { overflowY } = getComputedStyle(element);
      const mayScroll = element.matches("pre, textarea, [class*=overflow-x-auto]");
      const isRoot = element === document.body || element === document.documentElement;
      return (overflowY === "auto" || isRoot) && !mayScroll;
    });
    const wide = areas.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1);
    return wide.map(({ tagName, className, scrollWidth, clientWidth }) => {
      return `${scrollWidth} > ${clientWidth}: ${tagName} ${className}`;
    });
  });
}

/** Controls that a finger can miss: visible, not inside a line of text, and smaller than `least` pixels. */
export function listSmallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>(
      "button, a[href], select, summary, input, textarea, [role=tab], [role=menuitem], [role=option], [role=checkbox]",
    );
    const isInText = (element: HTMLElement) =>
      element.tagName === "A" && getComputedStyle(element).display === "inline";
    const isShown = (element: HTMLElement) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return [...controls].flatMap((element) => {
      if (
        !isShown(element) ||
        isInText(element) ||
        element.closest(".sr-only, [inert], p, [data-line], [popover]:not(:popover-open)")
      )
        return [];
      // A label extends the target of its control.
      // A link that covers its card is as large as the card.
      const coversCard =
        getComputedStyle(element, "::after").position === "absolute" ? element.offsetParent : undefined;
      const target = element.closest("label") ?? coversCard ?? element;
      const { width, height } = target.getBoundingClientRect();
      if (width === 0 || (Math.round(width) >= least && Math.round(height) >= least)) return [];
      const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 30);
      return [
        `${Math.round(width)}×${Math.round(height)} ${element.tagName} ${name} .${target.className.slice(0, 60)}`,
      ];
    });
  }, least);
}
