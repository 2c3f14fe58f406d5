import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Boundary } from "../../ui/boundary.tsx";
import type { Row } from "../rows/row.ts";

/** Keeps one row that cannot be drawn from taking the transcript with it. A row that has changed is tried again. */
export function RowBoundary({ row, children }: { row: Row; children: ReactNode }) {
  return (
    <Boundary of={row} instead={unshown}>
      {children}
    </Boundary>
  );
}

function unshown(): ReactNode {
  return (
    <p className="flex items-center gap-2 py-0.5 text-bad">
      <CircleAlert size={13} aria-hidden="true" />
      This cannot be shown. Its raw events are whole: point at it and open them.
    </p>
  );
}
