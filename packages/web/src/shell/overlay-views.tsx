import { useCell } from "../store/cell.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";
import type { Feature } from "./feature.ts";
import { overlay } from "./overlays.ts";

const Palette = lazyView(() => import("./palette/palette.tsx"));
const ShortcutsDialog = lazyView(() => import("./shortcuts-dialog.tsx"));

/** The open overlay: the command palette or the list of shortcuts. */
export function OverlayViews({ features }: { features: readonly Feature[] }) {
  const now = useCell(overlay);
  return (
    <>
      {now === "palette" && <Palette features={features} />}
      {now === "shortcuts" && <ShortcutsDialog />}
    </>
  );
}
