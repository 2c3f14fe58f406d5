import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { ErrorBoundary } from "../../ui/layout/error-boundary.tsx";
import type { Row } from "../rows/row.ts";

/** Confines a rendering error to its row. The row is rendered again when it changes. */
export function RowBoundary({ row, children }: { row: Row; children: ReactNode }) {
  return (
    <ErrorBoundary resetKey={row} fallback={renderFallback}>
      {children}
    </ErrorBoundary>
  );
}

function renderFallback(): ReactNode {
  return (
    <p className="flex items-center gap-2 py-0.5 text-bad">
      <CircleAlert size={13} aria-hidden="true" />
      This entry could not be displayed. Nothing was lost: open its raw events from the entry's toolbar.
    </p>
  );
}
