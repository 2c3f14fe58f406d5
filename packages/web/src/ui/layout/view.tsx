import type { ReactNode } from "react";
import { classes } from "../classes.ts";

type ViewProps = { title: string; actions?: ReactNode; children: ReactNode; wide?: boolean };

/** The frame of a view: a named region with a heading, actions and a column of content. */
export function View({ title, actions, children, wide }: ViewProps) {
  return (
    <section aria-label={title} className="flex min-h-0 grow flex-col">
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 border-b border-line px-5 py-1.5">
        <h1 className="grow text-base font-semibold">{title}</h1>
        {actions}
      </header>
      <div className="min-h-0 grow overflow-y-auto">
        <div className={classes("mx-auto px-5 py-5 max-sm:px-3", wide ? "max-w-[110rem]" : "max-w-4xl")}>
          {children}
        </div>
      </div>
    </section>
  );
}
