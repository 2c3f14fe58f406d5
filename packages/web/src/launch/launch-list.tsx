import { type Launch, launchStatus, type SessionStatus, sessionStatus, slotStatus, statusText } from "@gantry/protocol";
import { Plus, Rocket } from "lucide-react";
import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { loadLaunches, useLaunches, useLaunchesLoaded } from "../store/launches.ts";
import { useAllSessions } from "../store/sessions/hooks.ts";
import { Button } from "../ui/controls/button.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { StatusDot } from "../ui/display/state-dot.tsx";
import { View } from "../ui/layout/view.tsx";

/** All launches, newest first, each with the states of its agents. */
export default function LaunchList() {
  const [, go] = useLocation();
  const launches = useLaunches();
  const loaded = useLaunchesLoaded();
  useEffect(() => void loadLaunches(), []);
  const create = (
    <Button icon={<Plus size={14} />} onClick={() => go("/launch")}>
      Compare agents
    </Button>
  );
  return (
    <View title="Launches" actions={create}>
      {!loaded && <p className="text-faint">Loading…</p>}
      {loaded && launches.length === 0 && (
        <Empty title="No launches yet" icon={<Rocket size={28} strokeWidth={1.5} />}>
          <p>
            A launch sends one prompt to several agents, each in its own worktree. Compare the results and land the best
            one.
          </p>
        </Empty>
      )}
      {launches.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {launches.map((launch) => (
            <LaunchRow key={launch.id} launch={launch} />
          ))}
        </ul>
      )}
    </View>
  );
}

function LaunchRow({ launch }: { launch: Launch }) {
  const rows = useCell(agents);
  const slots = useSlotStatuses(launch);
  const status = launchStatus(launch, slots);
  return (
    <li className="relative flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 hover:bg-hover">
      <StatusDot status={status} />
      <div className="min-w-0 grow basis-56">
        <Link
          href={`/launches/${launch.id}`}
          className="block truncate font-medium after:absolute after:inset-0 hover:underline"
        >
          {launch.name}
        </Link>
        <p className="truncate text-xs text-soft">{launch.prompt}</p>
      </div>
      <ul aria-label="Agents" className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs">
        {launch.slots.map((slot, index) => (
          <li key={slot.session} className="flex items-center gap-1.5">
            <StatusDot status={slots[index] as SessionStatus} />
            {agentName(rows, slot.agent)}
          </li>
        ))}
      </ul>
      <span className="text-xs whitespace-nowrap text-soft">{statusText(status)}</span>
      <Ago at={launch.createdAt} className="text-xs text-faint tabular-nums" />
    </li>
  );
}

/** The status of each slot: from the live session where the page has it. */
export function useSlotStatuses(launch: Launch): SessionStatus[] {
  const sessions = useAllSessions();
  return launch.slots.map((slot) => {
    const session = sessions.find(({ id }) => id === slot.session);
    return session && slot.status ? sessionStatus(session) : slotStatus(slot, launch);
  });
}
