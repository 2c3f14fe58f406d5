import type { ReactNode } from "react";
import { classes } from "../ui/classes.ts";

/** One setting: name and description on the left, the control on the right. */
export function SettingRow({ name, about, children }: { name: ReactNode; about?: ReactNode; children: ReactNode }) {
  return (
    <div
      className={classes(
        "flex flex-wrap gap-x-6 gap-y-1.5 border-b border-line py-2.5 last:border-0",
        about ? "items-start" : "items-center",
      )}
    >
      <div className="min-w-0 grow basis-44">
        <div className="font-medium">{name}</div>
        {about && <div className="text-xs text-faint">{about}</div>}
      </div>
      <div className="flex max-w-full items-center gap-2">{children}</div>
    </div>
  );
}
