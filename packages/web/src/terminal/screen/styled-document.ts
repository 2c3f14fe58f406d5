/**
 * The page's policy allows no inline styles, and xterm writes its colours into `<style>` elements and `style` attributes.
 * This is the page's document with a `createElement` that leads both to where scripts may style: style elements feed a
 * constructed style sheet, the attribute goes through the element's `style` object. `build.ts` gives it to xterm.
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

/** Stands where a style element would; its text is a style sheet of the document for as long as it stands there. */
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
