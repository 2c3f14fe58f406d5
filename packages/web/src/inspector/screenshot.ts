import { domToPng } from "modern-screenshot";
import { RENDERER, type Renderer } from "./take-screenshot.ts";

const TIMEOUT_MS = 15_000;
/** Larger screenshots are scaled down. */
const MAX_PIXELS = 8_000_000;

/** Renders an element, or the visible part of the document, as a PNG. Throws if the browser cannot render it. */
const takeScreenshot: Renderer = (element) => {
  const { width, height } = element ? element.getBoundingClientRect() : { width: innerWidth, height: innerHeight };
  const preferred = Math.min(devicePixelRatio, 2);
  const scale = Math.min(preferred, Math.sqrt(MAX_PIXELS / Math.max(1, width * height)));
  const common = {
    scale,
    timeout: TIMEOUT_MS,
    backgroundColor: background(element ?? document.body),
    filter: (node: Node) => node.nodeName !== "GANTRY-OUTLINE" && node.nodeName !== "SCRIPT",
  };
  if (element) return domToPng(element, common);
  // The document is rendered from its start, so shift it by the scroll position.
  const style = { transform: `translate(${-scrollX}px, ${-scrollY}px)`, transformOrigin: "0 0" };
  return domToPng(document.documentElement, { ...common, width, height, style });
};

/** The background color behind an element; the browser's default if the document sets none. */
function background(element: Element | null): string {
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)) return backgroundColor;
  }
  const dark = getComputedStyle(document.documentElement).colorScheme.includes("dark");
  return dark && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff";
}

(globalThis as unknown as Record<symbol, Renderer>)[RENDERER] = takeScreenshot;
