import { type Launch, type LaunchSlot, type SessionStatus, statusText } from "@gantry/protocol";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { SessionLink } from "../ui/display/session-link.tsx";
import { StatusDot } from "../ui/display/state-dot.tsx";
import { useSlotStatuses } from "./launch-list.tsx";

/** The progress of each agent of a launch until there are results to compare. */
export function LaunchProgress({ launch }: { launch: Launch }) {
  const rows = useCell(agents);
  const statuses = useSlotStatuses(launch);
  return (
    <ol
      aria-label="Agents"
      aria-busy={launch.state !== "settled"}
      className="divide-y divide-line rounded-lg border border-line"
    >
      {launch.slots.map((slot, index) => (
        <li key={slot.session} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-3 py-2">
          <StatusDot status={statuses[index] as SessionStatus} />
          <span className="font-medium">{agentName(rows, slot.agent)}</span>
          {slot.model && <span className="text-soft">{slot.model}</span>}
          <code className="min-w-0 grow truncate font-mono text-xs text-faint">{slot.name}</code>
          <span className="text-soft">{slot.error?.message ?? statusText(statuses[index] as SessionStatus)}</span>
          {hasSession(slot) && (
            <SessionLink id={slot.session} className="text-accent hover:underline">
              Open
            </SessionLink>
          )}
        </li>
      ))}
    </ol>
  );
}

function hasSession({ state }: LaunchSlot): boolean {
  return state !== "pending" && state !== "creating" && state !== "cleaned";
}
