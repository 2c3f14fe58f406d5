import type { KeyboardEvent, PointerEvent } from "react";
import { useCell } from "../store/cell.ts";
import { divide, shareOf } from "./divide-widths.ts";
import { tileWidths } from "./tile-widths.ts";

type TileDividerProps = { left: string; right: string; label: string };

const STEP = 0.04;

/** The edge between two tiles: dragged with the pointer or moved with the arrow keys. A double click makes them equal. */
export function TileDivider({ left, right, label }: TileDividerProps) {
  const share = shareOf(useCell(tileWidths), left, right);
  const resize = (to: number) => tileWidths.update((widths) => divide(widths, left, right, to));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(share + step);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const { currentTarget: handle } = event;
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const start = handle.previousElementSibling?.getBoundingClientRect().left ?? 0;
    const end = handle.nextElementSibling?.getBoundingClientRect().right ?? 0;
    if (end > start) resize((event.clientX - start) / (end - start));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr cannot be moved; this separator can.
    <div
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={15}
      aria-valuemax={85}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={() => resize(0.5)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      className="relative w-px shrink-0 cursor-col-resize touch-none bg-line after:absolute after:inset-y-0 after:-left-1 after:z-10 after:w-2 hover:bg-accent-fill focus-visible:bg-accent-fill max-[799px]:hidden"
    />
  );
}
