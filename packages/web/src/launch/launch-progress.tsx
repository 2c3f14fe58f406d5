import type { Launch, LaunchSlot } from "@gantry/protocol";
import { Circle, CircleCheck, CircleX, Loader } from "lucide-react";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { SessionLink } from "../ui/display/session-link.tsx";

const stateNames: Record<LaunchSlot["state"], string> = {
  pending: "Pending",
  creating: "Creating lane",
  ready: "Ready",
  sent: "Prompt sent",
  running: "Working",
  waiting: "Needs you",
  done: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
  cleaned: "Removed; nothing was sent",
};

/** The progress of each agent of a launch until there are results to compare. */
export function LaunchProgress({ launch }: { launch: Launch }) {
  const rows = useCell(agents);
  return (
    <ol
      aria-label="Agents"
      aria-busy={launch.state !== "settled"}
      className="divide-y divide-line rounded-lg border border-line"
    >
      {launch.slots.map((slot) => (
        <li key={slot.session} className="flex items-center gap-2.5 px-3 py-2">
          <SlotIcon state={slot.state} />
          <span className="font-medium">{agentName(rows, slot.agent)}</span>
          {slot.model && <span className="text-soft">{slot.model}</span>}
          <code className="min-w-0 grow truncate font-mono text-xs text-faint">{slot.name}</code>
          <span className="text-soft">{slot.error?.message ?? stateNames[slot.state]}</span>
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

function SlotIcon({ state }: { state: LaunchSlot["state"] }) {
  if (state === "done" || state === "sent") return <CircleCheck size={14} className="shrink-0 text-good" />;
  if (state === "failed") return <CircleX size={14} className="shrink-0 text-bad" />;
  if (state === "creating" || state === "running")
    return <Loader size={14} className="shrink-0 animate-spin text-soft" />;
  return <Circle size={14} className="shrink-0 text-faint" />;
}

function hasSession({ state }: LaunchSlot): boolean {
  return state !== "pending" && state !== "creating" && state !== "cleaned";
}
