import type { Task } from "@gantry/protocol";
import { type UIEvent, useEffect, useLayoutEffect, useRef } from "react";
import { client } from "../store/connection/client.ts";
import { Output } from "../transcript/output/output.tsx";
import { classes } from "../ui/classes.ts";
import { LoadError } from "../ui/display/load-error.tsx";
import { useQuery } from "../ui/load/use-query.ts";

const POLL_MS = 2000;

type OutputTextProps = { session: string; task: Pick<Task, "task" | "title" | "status">; className?: string };

/** The end of a task's output. Follows it while the task runs and the page is visible. */
export function OutputText({ session, task: { task, title, status }, className }: OutputTextProps) {
  const { value, error, reload } = useQuery(`${session} ${task} ${status}`, () => client.tasks.output(session, task));
  useEffect(() => {
    if (status !== "running") return;
    const timer = setInterval(() => !document.hidden && reload(), POLL_MS);
    return () => clearInterval(timer);
  }, [status, reload]);
  const end = useFollowedEnd(value?.text);
  if (error !== undefined && !value) return <LoadError error={error} onRetry={reload} />;
  if (!value) return <p className="mt-2 text-xs text-faint">Loading…</p>;
  const isEmpty = value.text.trim() === "";
  return (
    <section
      {...end}
      aria-label={`Output of ${title}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
      tabIndex={0}
      className={classes(
        "overflow-auto rounded-md border border-line bg-sunken px-3 py-2",
        className ?? "mt-2 max-h-80",
      )}
    >
      {value.cut && <p className="mb-1 text-2xs text-faint">Earlier output is left out.</p>}
      {isEmpty ? (
        <p className="text-xs text-faint">
          {value.source === "none" ? "The agent reports no output of this task." : "No output yet."}
        </p>
      ) : (
        <pre className="font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          <Output text={value.text} />
        </pre>
      )}
    </section>
  );
}

/** Stays at the end of the text unless the user has scrolled away from it. */
function useFollowedEnd(text: string | undefined) {
  const ref = useRef<HTMLElement>(null);
  const follows = useRef(true);
  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent<HTMLElement>) => {
    follows.current = scrollTop + clientHeight >= scrollHeight - 8;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text moves the end.
  useLayoutEffect(() => {
    if (ref.current && follows.current) ref.current.scrollTop = ref.current.scrollHeight;
  }, [text]);
  return { ref, onScroll };
}
