import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { classes } from "../classes.ts";
import { Button } from "../controls/button.tsx";

type DialogProps = { title: string; onClose: () => void; children: ReactNode; wide?: boolean; footer?: ReactNode };

/** A modal dialog. Escape and a click on the backdrop close it; the focus then returns to where it was. */
export function Dialog({ title, onClose, children, wide, footer }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a native dialog on Escape.
    <dialog
      ref={ref}
      aria-labelledby={heading}
      // The close event is asynchronous: by then the dialog may be open again.
      onClose={() => !ref.current?.open && onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
      className={classes(
        "m-auto max-h-[85vh] w-full flex-col rounded-xl border border-line bg-raised p-0 text-left text-ink shadow-raised",
        "backdrop:bg-black/40 open:flex",
        wide ? "max-w-4xl" : "max-w-lg",
      )}
    >
      <header className="flex items-center gap-2 border-b border-line px-4 py-2.5">
        <h2 id={heading} className="grow text-base font-semibold">
          {title}
        </h2>
        <Button look="quiet" label="Close" icon={<X size={15} />} onClick={onClose} />
      </header>
      <div className="min-h-0 grow overflow-y-auto p-4">{children}</div>
      {footer && <footer className="flex justify-end gap-2 border-t border-line px-4 py-2.5">{footer}</footer>}
    </dialog>
  );
}
