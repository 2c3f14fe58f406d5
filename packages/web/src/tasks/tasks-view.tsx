import { listTasks, type SessionView, type Task, type TaskKind } from "@gantry/protocol";
import { Square } from "lucide-react";
import { useEffect, useState } from "react";
import type { PanelViewProps } from "../panel/panel-tab.ts";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { toastError } from "../store/toasts.ts";
import { SafeLink } from "../transcript/markdown/link.tsx";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { formatDuration } from "../ui/display/format.ts";
import { OutputText } from "./output-text.tsx";

const GROUPS: readonly { title: string; kinds: readonly TaskKind[] }[] = [
  { title: "Subagents", kinds: ["subagent"] },
  { title: "Teammates", kinds: ["teammate"] },
  { title: "Background", kinds: ["command", "server"] },
];

/** Background tasks by group: what runs, what ended last, and a button to stop each one. */
export default function TasksView({ session }: PanelViewProps) {
  const tasks = listTasks(session);
  return (
    <div className="min-h-0 grow overflow-y-auto p-4">
      {tasks.length === 0 && <NoTasks session={session} />}
      {GROUPS.map(({ title, kinds }) => (
        <Group key={title} title={title} session={session} tasks={tasks.filter(({ kind }) => kinds.includes(kind))} />
      ))}
    </div>
  );
}

function NoTasks({ session }: { session: SessionView }) {
  const rows = useCell(agents);
  const row = rows.find(({ id }) => id === session.agent);
  const name = agentName(rows, session.agent);
  const text =
    row && !row.tasks
      ? `${name} does not report background work.`
      : "Commands and subagents that run in the background appear here. They continue after the turn.";
  return <p className="text-sm text-soft">{text}</p>;
}

function Group({ title, session, tasks }: { title: string; session: SessionView; tasks: readonly Task[] }) {
  if (tasks.length === 0) return null;
  return (
    <section aria-label={title} className="mb-4">
      <h2 className="mb-1 text-xs font-medium text-faint">{title}</h2>
      <ul className="flex flex-col gap-2">
        {tasks.map((task) => (
          <Row key={`${task.task} ${task.startedAt}`} session={session} task={task} />
        ))}
      </ul>
    </section>
  );
}

const STATUS: Record<Task["status"], { text: string; tone: string }> = {
  running: { text: "Running", tone: "text-accent" },
  ok: { text: "Done", tone: "text-good" },
  error: { text: "Failed", tone: "text-bad" },
  stopped: { text: "Stopped", tone: "text-soft" },
  lost: { text: "Lost", tone: "text-bad" },
};

function Row({ session, task }: { session: SessionView; task: Task }) {
  const { kind, title, command, status, stopping, exitCode, url, startedAt, endedAt } = task;
  const { text, tone } = STATUS[status];
  const [open, setOpen] = useState(false);
  const state = stopping ? "Stopping" : status === "error" && exitCode !== undefined ? `${text} (${exitCode})` : text;
  return (
    <li className="rounded-md border border-line p-2 text-sm">
      <div className="flex items-start gap-2">
        <div className="min-w-0 grow">
          <p className={classes("truncate", command === title && "font-mono text-xs")} title={command ?? title}>
            {title}
          </p>
          <p className="text-xs text-faint">
            <span className={tone}>{state}</span>
            {kind === "server" && " · Server"} ·{" "}
            {endedAt === undefined ? (
              <Elapsed since={startedAt} />
            ) : (
              <>
                after {formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}, <Ago at={endedAt} phrase />
              </>
            )}
          </p>
          {status === "running" && url !== undefined && <Address url={url} />}
          <Detail task={task} />
        </div>
        <Button
          look="quiet"
          aria-expanded={open}
          aria-label={`Output of ${title}`}
          className="max-md:min-h-10"
          onClick={() => setOpen(!open)}
        >
          Output
        </Button>
        {status === "running" && <StopButton session={session} task={task} />}
      </div>
      {open && <OutputText session={session.id} task={task} />}
    </li>
  );
}

/** How long a task has run. Updates every second. */
function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  return <span className="tabular-nums">{seconds === 0 ? "now" : formatDuration(seconds * 1000)}</span>;
}

/** The address of a server, which opens in the preview. The text comes from a program's output. */
function Address({ url }: { url: string }) {
  return (
    <p className="mt-1 text-xs">
      <SafeLink href={url} />
    </p>
  );
}

/** What a running task does, or why or how an ended one ended. */
function Detail({ task: { status, activity, reason, summary } }: { task: Task }) {
  const text = status === "running" ? activity : (reason ?? summary);
  return text === undefined ? null : <p className="mt-1 text-xs wrap-anywhere text-soft">{text}</p>;
}

function StopButton({ session: { id, agent }, task: { task, title, stopping } }: { session: SessionView; task: Task }) {
  const row = useCell(agents).find((known) => known.id === agent);
  if (row && row.tasks !== "stop") return null;
  return (
    <Button
      look="quiet"
      label={`Stop ${title}`}
      disabled={stopping}
      icon={<Square size={11} fill="currentColor" />}
      className="max-md:min-h-10"
      onClick={() => void client.tasks.stop(id, task).catch(toastError)}
    >
      Stop
    </Button>
  );
}
