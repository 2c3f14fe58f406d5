import type { ReactNode } from "react";
import { classes } from "../classes.ts";

const tones = {
  neutral: "bg-sunken text-soft border-line",
  accent: "bg-accent-wash text-accent border-transparent",
  need: "bg-need-wash text-need border-transparent",
  good: "bg-good-wash text-good border-transparent",
  bad: "bg-bad-wash text-bad border-transparent",
} as const;
export type Tone = keyof typeof tones;

export function Badge({ tone = "neutral", title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span
      title={title}
      className={classes(
        "inline-flex h-[1.125rem] shrink-0 items-center gap-1 rounded border px-1.5 text-2xs font-medium whitespace-nowrap",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
