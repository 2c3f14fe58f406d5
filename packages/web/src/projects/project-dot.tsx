import type { ProjectColor } from "@gantry/protocol";
import { classes } from "../ui/classes.ts";

const fills: Record<ProjectColor, string> = {
  blue: "bg-series-1",
  amber: "bg-series-2",
  green: "bg-series-3",
  violet: "bg-violet",
  teal: "bg-series-5",
  slate: "bg-series-6",
  red: "bg-bad-fill",
};

/** The colour of a project. The name is always next to it, so it is hidden from screen readers. */
export function ProjectDot({ color, className }: { color: ProjectColor; className?: string }) {
  return <span aria-hidden="true" className={classes("size-2.5 shrink-0 rounded-[3px]", fills[color], className)} />;
}
