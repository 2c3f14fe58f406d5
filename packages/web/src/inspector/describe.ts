import { componentOf } from "./component.ts";
import type { PickedElement } from "./messages.ts";
import { selectorOf } from "./selector.ts";

const MOST_ATTRIBUTES = 40;
const MOST_VALUE = 300;
const MOST_TEXT = 1000;
const MOST_HTML = 4096;

/** Describes an element for an agent: selector, content and component. */
export function describeElement(element: Element): PickedElement {
  const { x, y, width, height } = element.getBoundingClientRect();
  const component = componentOf(element);
  return {
    selector: selectorOf(element).slice(0, 2000),
    tag: element.localName.slice(0, MOST_VALUE),
    text: shownText(element).trim().slice(0, MOST_TEXT),
    html: element.outerHTML.slice(0, MOST_HTML),
    attributes: attributesOf(element),
    rect: { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) },
    path: currentPath(),
    ...(component ? { component } : {}),
  };
}

/** Path, query and hash, which are the same in the preview and on the dev server. */
export function currentPath(): string {
  return (location.pathname + location.search + location.hash).slice(0, 4096);
}

function attributesOf(element: Element): Record<string, string> {
  const some = [...element.attributes].slice(0, MOST_ATTRIBUTES);
  return Object.fromEntries(some.map(({ name, value }) => [name.slice(0, MOST_VALUE), value.slice(0, MOST_VALUE)]));
}

function shownText(element: Element): string {
  // biome-ignore lint/performance/useDomNodeTextContent: only the visible text is needed
  return element instanceof HTMLElement ? element.innerText : (element.textContent ?? "");
}
