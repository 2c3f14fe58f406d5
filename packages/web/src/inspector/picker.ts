import { Outline } from "./outline.ts";

/** Everything by which a document could notice that somebody points at it. */
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
  /** Escape, or a press of the key while nothing was chosen. */
  onLeave: () => void;
};

/**
 * Lets a person point at an element. While it does, the document hears neither of the pointer nor of Escape. It must be
 * made before the document's own scripts run: whoever listens first can keep an event from the others.
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
    // A touch that is prevented is never followed by the click that picks.
    if (event instanceof MouseEvent) event.preventDefault();
    if (event.type !== "mousemove" && event.type !== "click") return;
    const { clientX, clientY } = event as MouseEvent;
    this.#hovered = this.#outline.under(clientX, clientY);
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
