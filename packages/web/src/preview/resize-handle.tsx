import type { KeyboardEvent, PointerEvent } from "react";

const STEP = 24;
const LEAST = 320;

type ResizeHandleProps = { label: string; width: number; onResize: (width: number) => void };

/** The left edge of a panel at the right, to be dragged or moved with the arrow keys. */
export function ResizeHandle({ label, width, onResize }: ResizeHandleProps) {
  const most = () => Math.max(LEAST, window.innerWidth - 480);
  const resize = (to: number) => onResize(Math.round(Math.min(Math.max(to, LEAST), most())));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(width + step);
  };
  // A captured pointer stays with the handle, also over a frame, which would swallow it otherwise.
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => event.currentTarget.setPointerCapture(event.pointerId);
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(window.innerWidth - event.clientX);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved; this is the separator that can.
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={most()}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      className="w-1 shrink-0 cursor-col-resize touch-none bg-line hover:bg-accent-fill focus-visible:bg-accent-fill"
    />
  );
}
