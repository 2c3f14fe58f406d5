import type { PickedElement } from "./messages.ts";

type Component = PickedElement["component"];
type Bag = Record<string, unknown>;

/** The component that rendered an element. Only development builds of frameworks expose it. */
export function componentOf(element: Element): Component {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const found = reactOf(at) ?? vueOf(at) ?? svelteOf(at);
    if (found) return found;
  }
  return undefined;
}

function reactOf(element: Element): Component {
  const key = Object.keys(element).find((name) => /^__react(Fiber|InternalInstance)\$/.test(name));
  if (!key) return undefined;
  let fiber = asBag((element as unknown as Bag)[key]);
  const file = fiber && reactFile(fiber);
  while (fiber && !reactName(fiber.type)) fiber = asBag(fiber.return);
  return { framework: "react", ...withText("name", fiber && reactName(fiber.type)), ...withText("file", file) };
}

function reactName(type: unknown): string | undefined {
  if (typeof type === "function") return textOf((type as unknown as Bag).displayName) ?? textOf(type.name);
  // `memo` and `forwardRef` wrap the named component.
  const wrapped = asBag(type);
  return wrapped && (textOf(wrapped.displayName) ?? reactName(wrapped.type ?? wrapped.render));
}

/** Up to React 18 the source is exposed; later versions expose only the stack at creation. */
function reactFile(fiber: Bag): string | undefined {
  const source = asBag(fiber._debugSource);
  if (source?.fileName) return `${source.fileName}:${source.lineNumber}`;
  const stack = fiber._debugStack;
  return stack instanceof Error ? projectFile(stack.stack ?? "") : undefined;
}

/** The first file on a stack that belongs to the project. Its line refers to the built file and is omitted. */
export function projectFile(stack: string): string | undefined {
  const places = [...stack.matchAll(/https?:\/\/[^\s/]+(\/[^\s?:)]*)/g)].map(([, path]) => path ?? "");
  return places.find((path) => !/node_modules|\/\.vite\/|\/@|react-jsx|jsx-dev-runtime|\/__gantry\//.test(path));
}

function vueOf(element: Element): Component {
  const instance = asBag((element as unknown as Bag).__vueParentComponent);
  const type = asBag(instance?.type);
  if (!type) return undefined;
  const name = textOf(type.__name) ?? textOf(type.name);
  return { framework: "vue", ...withText("name", name), ...withText("file", textOf(type.__file)) };
}

function svelteOf(element: Element): Component {
  const place = asBag(asBag((element as unknown as Bag).__svelte_meta)?.loc);
  const file = textOf(place?.file);
  if (!file) return undefined;
  const name = /([^/]+)\.svelte$/.exec(file)?.[1];
  return { framework: "svelte", ...withText("name", name), file: `${file}:${place?.line}` };
}

function asBag(value: unknown): Bag | undefined {
  return typeof value === "object" && value !== null ? (value as Bag) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 500) : undefined;
}

function withText<K extends string>(key: K, text: string | undefined): { [P in K]?: string } {
  return text === undefined ? {} : ({ [key]: text } as { [P in K]?: string });
}
