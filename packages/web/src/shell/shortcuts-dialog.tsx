import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/keys.tsx";
import { closeOverlay } from "./overlays.ts";
import { activeShortcuts } from "./shortcuts.ts";

/** All keys that do something where the reader is now; what several keys do is said once. */
export default function ShortcutsDialog() {
  const byDeed = [...Map.groupBy(activeShortcuts(), (shortcut) => shortcut.does)];
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeOverlay}>
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-1.5">
        {byDeed.map(([does, shortcuts]) => (
          <div key={does} className="contents">
            <dt className="text-soft">{does}</dt>
            <dd className="flex justify-end gap-2">
              {shortcuts.map(({ keys }) => (
                <span key={keys}>
                  <Keys keys={keys} />
                  <span className="sr-only">{keys}</span>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
