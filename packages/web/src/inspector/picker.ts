import { Outline } from "./outline.ts";

/** All events by which a document could notice the pointer. */
const SWALLOWED = [
  "pointerdown",
  "pointerup",
  "pointermove",
  "pointerover",
  "pointerout",
  "mousedown",
  "mouseup",
  "mousemove",
  "mouseover",
  "mouseout",
  "touchstart",
  "touchend",
  "click",
  "auxclick",
  "dblclick",
  "contextmenu",
] as const;

export type PickerEnd = {
  onPick: (element: Element) => void;
  /** Called when the user presses Escape. */
  onLeave: () => void;
};

/**
 * Lets the user pick an element. During that, the document receives neither pointer events nor Escape. Create it before
 * the document's scripts run, because only the first listener can stop an event for all others.
 */
export class Picker {
  readonly #end: PickerEnd;
  #outline: Outline | undefined;
  #hovered: Element | undefined;

  constructor(end: PickerEnd) {
    this.#end = end;
    for (const type of SWALLOWED)
      addEventListener(type, (event) => this.#point(event), { capture: true, passive: false });
    addEventListener("keydown", (event) => this.#key(event), true);
    const follow = () => this.#outline?.show(this.#hovered);
    addEventListener("scroll", follow, { capture: true, passive: true });
    addEventListener("resize", follow);
  }

  start(): void {
    this.#outline ??= new Outline();
  }

  stop(): void {
    this.#outline?.remove();
    this.#outline = undefined;
    this.#hovered = undefined;
  }

  #point(event: MouseEvent | TouchEvent): void {
    if (!this.#outline || !event.isTrusted) return;
    event.stopImmediatePropagation();
    // Preventing a touch would also prevent the click that picks.
    if (event instanceof MouseEvent) event.preventDefault();
    if (event.type !== "mousemove" && event.type !== "click") return;
    const { clientX, clientY } = event as MouseEvent;
    this.#hovered = this.#outline.elementAt(clientX, clientY);
    this.#outline.show(this.#hovered);
    if (event.type !== "click" || !this.#hovered) return;
    const picked = this.#hovered;
    this.stop();
    this.#end.onPick(picked);
  }

  #key(event: KeyboardEvent): void {
    if (!this.#outline || event.key !== "Escape") return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.stop();
    this.#end.onLeave();
  }
}
