import { elementAt } from "./selector.ts";

/** Draws an element, or what is visible where none is given, as a data URL of a PNG. */
export type Shooter = (element: Element | undefined) => Promise<string>;

/** Under this name the script that can draw leaves itself to the one that asks. */
export const SHOOTER = Symbol.for("gantry.shooter");

/** Takes a picture. The code for it is loaded with the first one. Throws with a text for a person. */
export async function shoot(scripts: string, selector: string | undefined): Promise<string> {
  const element = selector === undefined ? undefined : elementAt(selector);
  if (selector !== undefined && !element) throw new Error("The element is no longer there.");
  const shooter = loaded() ?? (await load(scripts));
  const image = await shooter(element);
  if (!image.startsWith("data:image/png;base64,") || image.length < 100)
    throw new Error(
      "The browser drew nothing. The shown page's Content-Security-Policy may forbid images from data URLs.",
    );
  return image;
}

function loaded(): Shooter | undefined {
  return (globalThis as unknown as Record<symbol, Shooter | undefined>)[SHOOTER];
}

function load(scripts: string): Promise<Shooter> {
  const failure = "The code for pictures could not be loaded; the shown page's Content-Security-Policy may forbid it.";
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.addEventListener("load", () => {
      const shooter = loaded();
      script.remove();
      if (shooter) resolve(shooter);
      else reject(new Error(failure));
    });
    script.addEventListener("error", () => reject(new Error(failure)));
    script.src = `${scripts}screenshot.js`;
    document.head.append(script);
  });
}
