import { useLayoutEffect, useRef } from "react";
import { Cell } from "../../store/cell.ts";

/** What was typed before the palette's code arrived, and whether Enter followed. */
export const typedEarly = new Cell({ text: "", isEntered: false });

/**
 * The field of the palette while its code is fetched. It takes the focus at once: otherwise the first letters would go to
 * the message box or act as shortcuts, and Enter would send them.
 */
export function PaletteWait() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    typedEarly.set({ text: "", isEntered: false });
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label="Command palette"
      className="mx-auto mt-[12vh] w-full max-w-xl overflow-hidden rounded-xl border border-line bg-raised p-0 text-ink shadow-raised backdrop:bg-black/30"
    >
      <input
        aria-label="Command"
        autoFocus
        onChange={({ target }) => typedEarly.set({ text: target.value, isEntered: false })}
        onKeyDown={({ key }) => key === "Enter" && typedEarly.update((typed) => ({ ...typed, isEntered: true }))}
        className="h-11 w-full bg-transparent px-4 text-base outline-none"
      />
    </dialog>
  );
}
