/**
 * The page's content policy forbids inline styles, but xterm writes its colors to `<style>` elements and `style`
 * attributes. This proxy of the document redirects both: style elements feed a constructed style sheet, and the attribute
 * is set through the element's `style` object. `build.ts` passes it to xterm.
 */
export const styledDocument: Document = new Proxy(document, {
  get(page, name) {
    if (name === "createElement") return createStyled;
    const value: unknown = Reflect.get(page, name, page);
    return typeof value === "function" ? value.bind(page) : value;
  },
});

function createStyled(tag: string): HTMLElement {
  if (tag === "style") return styleElement();
  const element = document.createElement(tag);
  if (tag === "span") element.setAttribute = setAttribute;
  return element;
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}

/** Replaces a style element. Its text becomes a style sheet of the document until the element is removed. */
function styleElement(): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = document.createElement("div");
  element.hidden = true;
  document.adoptedStyleSheets.push(sheet);
  Object.defineProperty(element, "textContent", { set: (css: string) => sheet.replaceSync(css) });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}
