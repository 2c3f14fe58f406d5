import { elementAt } from "./selector.ts";

/** Renders an element, or the visible part of the document, as a PNG data URL. */
export type Renderer = (element: Element | undefined) => Promise<string>;

/** The global under which `screenshot.ts` registers its renderer. */
export const RENDERER = Symbol.for("gantry.shooter");

/** Takes a screenshot. Its script is loaded on first use. Throws with a message for the user. */
export async function takeScreenshot(scripts: string, selector: string | undefined): Promise<string> {
  const element = selector === undefined ? undefined : elementAt(selector);
  if (selector !== undefined && !element) throw new Error("The element no longer exists.");
  const shooter = loadedRenderer() ?? (await load(scripts));
  const image = await shooter(element);
  if (!image.startsWith("data:image/png;base64,") || image.length < 100)
    throw new Error("The screenshot is empty. The site's Content-Security-Policy may forbid images from data URLs.");
  return image;
}

function loadedRenderer(): Renderer | undefined {
  return (globalThis as unknown as Record<symbol, Renderer | undefined>)[RENDERER];
}

function load(scripts: string): Promise<Renderer> {
  const failure = "The screenshot script could not be loaded. The site's Content-Security-Policy may forbid it.";
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.addEventListener("load", () => {
      const shooter = loadedRenderer();
      script.remove();
      if (shooter) resolve(shooter);
      else reject(new Error(failure));
    });
    script.addEventListener("error", () => reject(new Error(failure)));
    script.src = `${scripts}screenshot.js`;
    document.head.append(script);
  });
}
