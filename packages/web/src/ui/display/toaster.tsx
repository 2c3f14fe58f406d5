import { X } from "lucide-react";
import { useCell } from "../../store/cell.ts";
import { toasts } from "../../store/toasts.ts";
import { classes } from "../classes.ts";
import { Button } from "../controls/button.tsx";

/** Shows toasts below the header, where they do not cover the composer, and announces them to screen readers. */
export function Toaster() {
  const list = useCell(toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-14 z-50 max-sm:top-24 flex flex-col items-end gap-2 px-4"
    >
      {list.map(({ id, tone, text, remedy, action }) => (
        <div
          key={id}
          className={classes(
            "pointer-events-auto flex max-w-lg min-w-0 items-start gap-3 rounded-lg border bg-raised px-3 py-2 shadow-raised",
            tone === "error" ? "border-bad/50" : "border-line",
          )}
        >
          <p className="min-w-0 py-0.5 wrap-anywhere">
            <span className={classes("font-medium", tone === "error" && "text-bad")}>{text}</span>
            {remedy && <span className="block text-soft">{remedy}</span>}
          </p>
          {action && (
            <Button look="plain" onClick={() => [action.run(), close(id)]}>
              {action.label}
            </Button>
          )}
          <Button look="quiet" label="Dismiss" icon={<X size={14} />} onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}

function close(id: number): void {
  toasts.update((list) => list.filter((toast) => toast.id !== id));
}
