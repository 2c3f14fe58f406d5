import { useCell } from "../../store/cell.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { TranscriptWindow } from "../window/window.ts";

/** Shown at the top edge when events could not be loaded, with a retry button. Floats above the rows. */
export function WindowEdge({ window }: { window: TranscriptWindow }) {
  const { failure, range } = useCell(window.state);
  if (!failure) return null;
  const retry = () =>
    void (range.length === 0 ? window.loadLatest() : window.atEnd ? window.loadOlder() : window.loadNewer());
  return (
    <div role="alert" className="absolute inset-x-0 top-2 z-10 flex justify-center">
      <div className="flex items-center gap-3 rounded-lg border border-line bg-raised py-1 pr-1 pl-3 shadow-raised">
        <span>
          {range.length === 0 ? "The events could not be loaded." : "More events could not be loaded."} Nothing was
          lost.
        </span>
        <Button onClick={retry}>Try again</Button>
      </div>
    </div>
  );
}
