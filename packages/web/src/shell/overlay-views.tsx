import { setupRequest } from "../agents/setup/setup-request.ts";
import { useCell } from "../store/cell.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";
import type { Feature } from "./feature.ts";
import { overlay } from "./overlays.ts";
import { PaletteWait } from "./palette/palette-wait.tsx";

const Palette = lazyView(
  () => import("./palette/palette.tsx"),
  () => <PaletteWait />,
);
const SetupDialog = lazyView(() => import("../agents/setup/setup-dialog.tsx"));
const ShortcutsDialog = lazyView(() => import("./shortcuts-dialog.tsx"));

/** The open overlay: the command palette, the list of shortcuts or the set-up of an agent. */
export function OverlayViews({ features }: { features: readonly Feature[] }) {
  const now = useCell(overlay);
  const hasSetup = useCell(setupRequest) !== undefined;
  return (
    <>
      {now === "palette" && <Palette features={features} />}
      {now === "shortcuts" && <ShortcutsDialog />}
      {hasSetup && <SetupDialog />}
    </>
  );
}
