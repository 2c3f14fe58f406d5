import type { KeyboardEvent, PointerEvent } from "react";
import { classes } from "./classes.ts";

type ResizeHandleProps = {
  label: string;
  /** Which edge of the panel it is; the panel lies at the opposite edge of the window. */
  edge: "left" | "top";
  size: number;
  least: number;
  /** What must stay for everything else. */
  rest: number;
  onResize: (size: number) => void;
};

const STEP = 24;
const keys = { left: { ArrowLeft: STEP, ArrowRight: -STEP }, top: { ArrowUp: STEP, ArrowDown: -STEP } };
const looks = { left: "w-1 cursor-col-resize", top: "h-1 w-full cursor-row-resize" };

/** The edge of a panel, to be dragged or moved with the arrow keys. */
export function ResizeHandle({ label, edge, size, least, rest, onResize }: ResizeHandleProps) {
  const extent = () => (edge === "left" ? window.innerWidth : window.innerHeight);
  const most = () => Math.max(least, extent() - rest);
  const resize = (to: number) => onResize(Math.round(Math.min(Math.max(to, least), most())));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = (keys[edge] as Record<string, number | undefined>)[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(size + step);
  };
  // A captured pointer stays with the handle, also over a frame, which would swallow it otherwise.
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => event.currentTarget.setPointerCapture(event.pointerId);
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      resize(extent() - (edge === "left" ? event.clientX : event.clientY));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved; this is the separator that can.
    <div
      role="separator"
      aria-label={label}
      aria-orientation={edge === "left" ? "vertical" : "horizontal"}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most()}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      className={classes("shrink-0 touch-none bg-line hover:bg-accent-fill focus-visible:bg-accent-fill", looks[edge])}
    />
  );
}
