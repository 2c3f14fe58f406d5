import { useCell } from "../store/cell.ts";
import { lazyView } from "../ui/lazy-view.tsx";
import { overlay } from "./overlays.ts";

const Palette = lazyView(() => import("./palette/palette.tsx"));
const ShortcutsDialog = lazyView(() => import("./shortcuts-dialog.tsx"));

/** The palette or the overview of keys, whichever was asked for. */
export function OverlayViews() {
  const now = useCell(overlay);
  return (
    <>
      {now === "palette" && <Palette />}
      {now === "shortcuts" && <ShortcutsDialog />}
    </>
  );
}
