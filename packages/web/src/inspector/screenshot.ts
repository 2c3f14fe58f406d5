import { domToPng } from "modern-screenshot";
import { SHOOTER, type Shooter } from "./shoot.ts";

const MOST_MS = 15_000;
/** Beyond this a picture costs more than it shows. */
const MOST_PIXELS = 8_000_000;

/** Draws an element, or what is visible of the document, as a PNG. Throws when the browser will not draw it. */
const shoot: Shooter = (element) => {
  const { width, height } = element ? element.getBoundingClientRect() : { width: innerWidth, height: innerHeight };
  const wanted = Math.min(devicePixelRatio, 2);
  const scale = Math.min(wanted, Math.sqrt(MOST_PIXELS / Math.max(1, width * height)));
  const common = {
    scale,
    timeout: MOST_MS,
    backgroundColor: background(element ?? document.body),
    filter: (node: Node) => node.nodeName !== "GANTRY-OUTLINE" && node.nodeName !== "SCRIPT",
  };
  if (element) return domToPng(element, common);
  // The document is drawn from its beginning; what is scrolled away is moved out of the picture.
  const style = { transform: `translate(${-scrollX}px, ${-scrollY}px)`, transformOrigin: "0 0" };
  return domToPng(document.documentElement, { ...common, width, height, style });
};

/** The colour that is behind an element. A document that paints none is on the browser's own, white or dark. */
function background(element: Element | null): string {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)) return backgroundColor;
  }
  const dark = getComputedStyle(document.documentElement).colorScheme.includes("dark");
  return dark && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff";
}

(globalThis as unknown as Record<symbol, Shooter>)[SHOOTER] = shoot;
