import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../../ui/classes.ts";
import { useTranscript } from "../view/context.ts";

type LineProps = {
  rowKey: string;
  icon: ReactNode;
  children: ReactNode;
  /** Figures and badges at the end of the line. */
  end?: ReactNode;
  /** Absent if the row has no details. */
  open?: boolean;
  tone?: "plain" | "bad" | "need";
};

const tones = { plain: "text-soft", bad: "text-bad", need: "text-need" } as const;

/** The line of a row. A click opens its details. */
export function RowLine({ rowKey, icon, children, end, open, tone = "plain" }: LineProps) {
  const { toggle } = useTranscript();
  const inside = (
    <>
      <span className="flex w-4 shrink-0 justify-center" aria-hidden="true">
        {icon}
      </span>
      <span className="min-w-0 grow truncate">{children}</span>
      <span className="flex max-w-[60%] shrink-0 items-center gap-2 overflow-hidden text-2xs whitespace-nowrap text-faint">
        {end}
      </span>
      <ChevronRight
        size={13}
        aria-hidden="true"
        className={classes("shrink-0 text-faint", open && "rotate-90", open === undefined && "invisible")}
      />
    </>
  );
  const look = classes("flex w-full items-center gap-2 rounded-md py-0.5 text-left text-sm", tones[tone]);
  if (open === undefined) return <div className={look}>{inside}</div>;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={() => toggle(rowKey, !open)}
      className={classes(look, "hover:bg-hover")}
    >
      {inside}
    </button>
  );
}
