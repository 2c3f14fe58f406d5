import { Keys } from "../ui/controls/keys.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { closeOverlay } from "./overlays.ts";
import { activeShortcuts } from "./shortcuts.ts";

/** Every shortcut that works in the open view. Keys with the same action share a line. */
export default function ShortcutsDialog() {
  const byAction = [...Map.groupBy(activeShortcuts(), (shortcut) => shortcut.does)];
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeOverlay}>
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-1.5">
        {byAction.map(([does, shortcuts]) => (
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
