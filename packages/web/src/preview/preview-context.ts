import type { PickedElement } from "./messages.ts";

/** Something from a preview that goes with a message: a name for the chip, and the text for the agent. */
export type PreviewContext = { title: string; text: string };

/** A picked element as an agent needs it. `target` is the dev server's own address. */
export function elementContext(element: PickedElement, target: string): PreviewContext {
  const { selector, tag, text, html, rect, path, component } = element;
  const lines = [
    `Element picked in ${new URL(path, target).href}`,
    `Selector: ${selector}`,
    component && `Component: ${[component.name, `(${component.framework})`, component.file].filter(Boolean).join(" ")}`,
    `Size: ${rect.width} × ${rect.height} at ${rect.x}, ${rect.y}`,
    text && `Text: ${oneLine(text, 300)}`,
    fenced(html),
  ];
  return { title: titleOf(element.component?.name, tag, text), text: lines.filter(Boolean).join("\n") };
}

/** Errors of the shown document. */
export function failuresContext(failures: readonly string[], target: string): PreviewContext {
  const title = failures.length === 1 ? "1 error of the preview" : `${failures.length} errors of the preview`;
  return { title, text: [`Errors in the console of ${target}`, ...failures.map((text) => `- ${text}`)].join("\n") };
}

function titleOf(component: string | undefined, tag: string, text: string): string {
  const name = component ? `${component} <${tag}>` : `<${tag}>`;
  return text ? `${name} ${oneLine(text, 30)}` : name;
}

/** The fence is longer than any inside. */
function fenced(html: string): string {
  const longest = Math.max(2, ...[...html.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}html\n${html}\n${fence}`;
}

function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
