import type { SessionView } from "@gantry/protocol";
import { Archive, Columns3, X } from "lucide-react";
import { useEffect } from "react";
import { navigate } from "wouter/use-browser-location";
import { useCell } from "../store/cell.ts";
import { archiveSessions } from "../store/sessions/archive.ts";
import { MAX_TILES, tilesPath } from "../tiles/tile-list.ts";
import { Button } from "../ui/controls/button.tsx";
import { clearSelection, selection } from "./selection.ts";

/** Actions for the selected sessions. `sessions` are those on the board: others leave the selection. */
export function SelectionBar({ sessions }: { sessions: readonly SessionView[] }) {
  const chosen = useCell(selection);
  const selected = sessions.filter(({ id }) => chosen.has(id));
  useEffect(() => clearSelection, []);
  if (selected.length === 0) return null;
  const isArchived = selected.every(({ archived }) => archived);
  const archive = () => {
    clearSelection();
    void archiveSessions(selected, !isArchived);
  };
  return (
    <div
      role="toolbar"
      aria-label="Selected sessions"
      className="fixed bottom-4 left-1/2 z-20 flex -translate-x-1/2 items-center gap-2 rounded-xl border border-line bg-raised px-3 py-2 shadow-raised"
    >
      <span className="px-1 font-medium whitespace-nowrap tabular-nums">{selected.length} selected</span>
      <Button look="primary" icon={<Archive size={14} />} keys="a" onClick={archive}>
        {isArchived ? "Unarchive" : "Archive"}
      </Button>
      {selected.length > 1 && selected.length <= MAX_TILES && (
        <Button icon={<Columns3 size={14} />} onClick={() => navigate(tilesPath(selected.map(({ id }) => id)))}>
          Side by side
        </Button>
      )}
      <Button look="quiet" icon={<X size={14} />} keys="escape" onClick={clearSelection}>
        Clear
      </Button>
    </div>
  );
}
