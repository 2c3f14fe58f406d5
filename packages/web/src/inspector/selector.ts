const TEST_ATTRIBUTES = ["data-testid", "data-test", "data-cy"];

/** A short selector that matches only this element; `>>>` enters an open shadow root. */
export function selectorOf(element: Element): string {
  const root = element.getRootNode();
  const inside = pathIn(element, root instanceof ShadowRoot ? root : document);
  return root instanceof ShadowRoot ? `${selectorOf(root.host)} >>> ${inside}` : inside;
}

/** The element for a selector from `selectorOf`. */
export function elementAt(selector: string): Element | undefined {
  let root: ParentNode | null | undefined = document;
  let found: Element | null | undefined;
  for (const part of selector.split(" >>> ")) {
    found = root?.querySelector(part);
    root = found?.shadowRoot;
  }
  return found ?? undefined;
}

function pathIn(element: Element, root: ParentNode): string {
  const steps: string[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    const name = nameOf(at, root);
    if (name) return [name, ...steps].join(" > ");
    steps.unshift(stepTo(at));
  }
  return steps.join(" > ");
}

/** A selector by id or test attribute, if that is unique. */
function nameOf(element: Element, root: ParentNode): string | undefined {
  const attributes = TEST_ATTRIBUTES.flatMap((name) => {
    const value = element.getAttribute(name);
    return value ? [`[${name}="${CSS.escape(value)}"]`] : [];
  });
  const names = element.id ? [`#${CSS.escape(element.id)}`, ...attributes] : attributes;
  return names.find((name) => root.querySelectorAll(name).length === 1);
}

function stepTo(element: Element): string {
  const tag = CSS.escape(element.localName);
  const alike = [...(element.parentElement?.children ?? [])].filter((other) => other.localName === element.localName);
  return alike.length > 1 ? `${tag}:nth-of-type(${alike.indexOf(element) + 1})` : tag;
}
