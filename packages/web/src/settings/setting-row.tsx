import type { ReactNode } from "react";
import { classes } from "../ui/classes.ts";

/** One setting: name and description on the left, the control on the right. */
export function SettingRow({ name, about, children }: { name: ReactNode; about?: ReactNode; children: ReactNode }) {
  return (
    <div
      className={classes(
        "flex gap-6 border-b border-line py-2.5 last:border-0",
        about ? "items-start" : "items-center",
      )}
    >
      <div className="min-w-0 grow">
        <div className="font-medium">{name}</div>
        {about && <div className="text-xs text-faint">{about}</div>}
      </div>
      <div className="flex shrink-0 items-center gap-2">{children}</div>
    </div>
  );
}
