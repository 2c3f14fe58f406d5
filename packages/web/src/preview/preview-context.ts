import type { PickedElement } from "../inspector/messages.ts";

/** A context from a preview for a message: the label of its chip and the text for the agent. */
export type PreviewContext = { title: string; text: string };

/** A picked element as context for an agent. `target` is the address of the dev server. */
export function elementContext(element: PickedElement, target: string): PreviewContext {
  const { selector, tag, text, html, rect, path, component } = element;
  const lines = [
    `Element picked in ${new URL(path, target).href}`,
    `Selector: ${selector}`,
    component && `Component: ${[component.name, `(${component.framework})`, component.file].filter(Boolean).join(" ")}`,
    `Size: ${rect.width} × ${rect.height} at ${rect.x}, ${rect.y}`,
    text && `Text: ${oneLine(text, 300)}`,
    fenceHtml(html),
  ];
  return { title: titleOf(element.component?.name, tag, text), text: lines.filter(Boolean).join("\n") };
}

/** The errors of the document as context for an agent. */
export function errorsContext(failures: readonly string[], target: string): PreviewContext {
  const title = failures.length === 1 ? "1 preview error" : `${failures.length} preview errors`;
  return { title, text: [`Errors in the console of ${target}`, ...failures.map((text) => `- ${text}`)].join("\n") };
}

/** A message that asks the agent to fix the errors of the document. */
export function fixRequest(failures: readonly string[], target: string): string {
  return `Please fix ${failures.length === 1 ? "this error" : "these errors"} of the preview.\n\n${errorsContext(failures, target).text}`;
}

function titleOf(component: string | undefined, tag: string, text: string): string {
  const name = component ? `${component} <${tag}>` : `<${tag}>`;
  return text ? `${name} ${oneLine(text, 30)}` : name;
}

/** The fence is longer than any fence inside. */
function fenceHtml(html: string): string {
  const longest = Math.max(2, ...[...html.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}html\n${html}\n${fence}`;
}

function oneLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
