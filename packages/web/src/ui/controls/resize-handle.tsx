import type { KeyboardEvent, PointerEvent } from "react";
import { classes } from "../classes.ts";

type ResizeHandleProps = {
  label: string;
  /** The edge of the panel that is dragged. The panel is docked to the opposite edge of the window. */
  edge: "left" | "top";
  size: number;
  min: number;
  /** Pixels reserved for the rest of the window. */
  reserved: number;
  onResize: (size: number) => void;
};

const STEP = 24;
const keys = { left: { ArrowLeft: STEP, ArrowRight: -STEP }, top: { ArrowUp: STEP, ArrowDown: -STEP } };
const looks = { left: "w-1 cursor-col-resize", top: "h-1 w-full cursor-row-resize" };

/** A panel edge that is dragged with the pointer or moved with the arrow keys. */
export function ResizeHandle({ label, edge, size, min, reserved, onResize }: ResizeHandleProps) {
  const extent = () => (edge === "left" ? window.innerWidth : window.innerHeight);
  const max = () => Math.max(min, extent() - reserved);
  const resize = (to: number) => onResize(Math.round(Math.min(Math.max(to, min), max())));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = (keys[edge] as Record<string, number | undefined>)[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(size + step);
  };
  // Capture the pointer: otherwise an iframe under it would swallow its events.
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => event.currentTarget.setPointerCapture(event.pointerId);
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      resize(extent() - (edge === "left" ? event.clientX : event.clientY));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved; this separator can.
    <div
      role="separator"
      aria-label={label}
      aria-orientation={edge === "left" ? "vertical" : "horizontal"}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max()}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      className={classes("shrink-0 touch-none bg-line hover:bg-accent-fill focus-visible:bg-accent-fill", looks[edge])}
    />
  );
}
