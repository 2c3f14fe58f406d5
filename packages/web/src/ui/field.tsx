import type { ReactNode } from "react";

/** A control with its name above and a word about it below. The control carries the same name for screen readers. */
export function Field({ name, about, children }: { name: string; about?: string; children: ReactNode }) {
  return (
    <div>
      <div aria-hidden="true" className="pb-1 text-xs font-medium text-soft">
        {name}
      </div>
      {children}
      {about && <p className="pt-1 text-xs text-faint">{about}</p>}
    </div>
  );
}
