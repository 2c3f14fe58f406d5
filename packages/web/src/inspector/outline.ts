const COLOUR = "#3f66d6";

/**
 * A transparent overlay with an outline and a label. It captures the pointer, so that the document does not react, and is
 * above everything, including modal dialogs.
 */
export class Outline {
  readonly #host = document.createElement("gantry-outline");
  readonly #frame = document.createElement("div");
  readonly #label = document.createElement("div");

  constructor() {
    // Set styles by property: a content policy may forbid inline styles.
    this.#host.style.cssText =
      "all:initial;position:fixed;inset:0;width:auto;height:auto;margin:0;padding:0;border:0;background:transparent;cursor:crosshair;overflow:hidden;z-index:2147483647";
    this.#frame.style.cssText = `position:fixed;box-sizing:border-box;border:2px solid ${COLOUR};background:${COLOUR}26;border-radius:2px;pointer-events:none`;
    this.#label.style.cssText = `position:fixed;max-width:calc(100vw - 8px);padding:2px 6px;border-radius:3px;background:${COLOUR};color:#fff;font:12px/1.4 ui-monospace,monospace;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;pointer-events:none`;
    this.#host.attachShadow({ mode: "closed" }).append(this.#frame, this.#label);
    this.#host.popover = "manual";
    // Elements outside of an open modal dialog are inert.
    const dialogs = document.querySelectorAll("dialog:modal");
    (dialogs.item(dialogs.length - 1) ?? document.documentElement).append(this.#host);
    this.#host.showPopover();
    this.#hide();
  }

  remove(): void {
    this.#host.remove();
  }

  /** The innermost element at a point, including open shadow roots. */
  elementAt(x: number, y: number): Element | undefined {
    this.#host.style.pointerEvents = "none";
    let found = document.elementFromPoint(x, y);
    for (let root = found?.shadowRoot; root; root = found?.shadowRoot) {
      const inner: Element | null = root.elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    this.#host.style.pointerEvents = "auto";
    return found && found !== this.#host ? found : undefined;
  }

  show(element: Element | undefined): void {
    if (!element) return this.#hide();
    const { left, top, width, height } = element.getBoundingClientRect();
    Object.assign(this.#frame.style, {
      display: "block",
      left: px(left),
      top: px(top),
      width: px(width),
      height: px(height),
    });
    this.#label.textContent = labelOf(element, width, height);
    const above = top >= 24;
    Object.assign(this.#label.style, {
      display: "block",
      left: px(Math.max(4, Math.min(left, innerWidth - 120))),
      top: px(above ? top - 22 : Math.min(Math.max(top + height + 2, 2), innerHeight - 24)),
    });
  }

  #hide(): void {
    this.#frame.style.display = "none";
    this.#label.style.display = "none";
  }
}

function labelOf(element: Element, width: number, height: number): string {
  const id = element.id ? `#${element.id}` : "";
  const names = [...element.classList].slice(0, 3).map((name) => `.${name}`);
  return `${element.localName}${id}${names.join("")}  ${Math.round(width)} × ${Math.round(height)}`;
}

function px(length: number): string {
  return `${length}px`;
}
