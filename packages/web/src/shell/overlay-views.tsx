import { lazy, Suspense } from "react";
import { useCell } from "../store/cell.ts";
import { overlay } from "./overlays.ts";

const Palette = lazy(() => import("./palette/palette.tsx"));
const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));

/** The palette or the overview of keys, whichever was asked for. */
export function OverlayViews() {
  const now = useCell(overlay);
  return (
    <Suspense fallback={null}>
      {now === "palette" && <Palette />}
      {now === "shortcuts" && <ShortcutsDialog />}
    </Suspense>
  );
}
