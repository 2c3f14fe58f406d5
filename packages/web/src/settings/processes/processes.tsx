import type { LiveProcess, ProcessList } from "@gantry/protocol";
import { Cpu } from "lucide-react";
import { useEffect, useState } from "react";
import { agentName, agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Badge, type Tone } from "../../ui/display/badge.tsx";
import { Empty } from "../../ui/display/empty.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { SessionLink } from "../../ui/display/session-link.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { DaemonSettings } from "../daemon/daemon-settings.tsx";
import { SettingRow } from "../setting-row.tsx";
import { idleText } from "./idle-text.ts";

const POLL_MS = 2000;

/** The agent processes that run, and the settings that decide when they start and end. */
export function Processes() {
  const { value, error, reload } = useQuery("processes", client.processes);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), POLL_MS);
    return () => clearInterval(timer);
  }, [reload]);
  if (error !== undefined && !value) return <LoadError error={error} onRetry={reload} />;
  return (
    <>
      <section aria-label="Agent processes" className="pb-8">
        {value && <List list={value} onChange={reload} />}
      </section>
      <h2 className="pb-1 text-sm font-semibold">Start and release</h2>
      <DaemonSettings keys={["processes.max", "idleSeconds", "processes.warmUp"]} />
    </>
  );
}

function List({ list: { max, processes }, onChange }: { list: ProcessList; onChange: () => void }) {
  if (processes.length === 0)
    return (
      <Empty title="No agent process is running" icon={<Cpu size={28} strokeWidth={1.5} />}>
        <p>A process starts with a message, and is released when it has been idle for a while. Sessions stay.</p>
      </Empty>
    );
  return (
    <>
      <p className="pb-1 text-soft">
        {processes.length} of at most {max} {max === 1 ? "process" : "processes"}. Above the limit, the one that was
        idle longest is released.
      </p>
      {processes.map((process) => (
        <ProcessRow key={process.session} process={process} onChange={onChange} />
      ))}
    </>
  );
}

const states: Record<LiveProcess["state"], { tone: Tone; label: string }> = {
  starting: { tone: "neutral", label: "Starting" },
  busy: { tone: "accent", label: "Busy" },
  idle: { tone: "neutral", label: "Idle" },
};

function ProcessRow({ process, onChange }: { process: LiveProcess; onChange: () => void }) {
  const { session, title, pid, state } = process;
  const name = agentName(useCell(agents), process.agent);
  const [isReleasing, setReleasing] = useState(false);
  const release = async () => {
    setReleasing(true);
    try {
      await client.sessions.close(session);
      toast({
        tone: "info",
        text: `Released the process of ${title}.`,
        remedy: "The next message resumes the session.",
      });
    } catch (error) {
      toastError(error);
    }
    setReleasing(false);
    onChange();
  };
  const about = [name, pid === undefined ? undefined : `process ${pid}`, idleText(process, Date.now())];
  return (
    <SettingRow
      name={
        <SessionLink id={session} className="hover:underline">
          {title}
        </SessionLink>
      }
      about={<span className="tabular-nums">{about.filter(Boolean).join(" · ")}</span>}
    >
      <Badge tone={states[state].tone}>{states[state].label}</Badge>
      <Button
        aria-label={`Release ${title}`}
        title={state === "idle" ? "Release the process now" : "A process that works cannot be released"}
        disabled={state !== "idle" || isReleasing}
        onClick={() => void release()}
      >
        Release
      </Button>
    </SettingRow>
  );
}
