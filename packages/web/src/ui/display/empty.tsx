import type { ReactNode } from "react";

/** An empty state: what would be shown here and how to get there. */
export function Empty({ title, children, icon }: { title: string; children?: ReactNode; icon?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-16 text-center text-soft">
      {icon && <div className="text-faint">{icon}</div>}
      <h2 className="text-base font-semibold text-ink">{title}</h2>
      {children}
    </div>
  );
}
