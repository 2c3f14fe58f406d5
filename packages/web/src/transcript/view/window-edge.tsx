import { useCell } from "../../store/cell.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { TranscriptWindow } from "../window/window.ts";

/** Says at the upper edge that events could not be had, and asks for them again. It takes no room from the rows. */
export function WindowEdge({ window }: { window: TranscriptWindow }) {
  const { failure, range } = useCell(window.state);
  if (!failure) return null;
  const again = () => void (range.length === 0 ? window.latest() : window.atEnd ? window.older() : window.newer());
  return (
    <div role="alert" className="absolute inset-x-0 top-2 z-10 flex justify-center">
      <div className="flex items-center gap-3 rounded-lg border border-line bg-raised py-1 pr-1 pl-3 shadow-raised">
        <span>
          {range.length === 0 ? "The events could not be loaded." : "More events could not be loaded."} Nothing is lost.
        </span>
        <Button onClick={again}>Try again</Button>
      </div>
    </div>
  );
}
