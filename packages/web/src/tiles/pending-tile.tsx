import { slotStatus, statusText } from "@gantry/protocol";
import { useEffect } from "react";
import { Link } from "wouter";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { loadLaunches, useLaunchOf } from "../store/launches.ts";
import { Button } from "../ui/controls/button.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { removeTile } from "./tile-list.ts";

const POLL_MS = 800;

type PendingTileProps = {
  id: string;
  ids: readonly string[];
  error: unknown;
  onChange: (ids: readonly string[]) => void;
};

/** A tile without a session: a launch still prepares it, or it does not exist. */
export function PendingTile({ id, ids, error, onChange }: PendingTileProps) {
  const found = useLaunchOf(id);
  const slot = found?.launch.slots[found.place - 1];
  const name = agentName(useCell(agents), slot?.agent ?? "");
  const isPreparing = slot?.state === "pending" || slot?.state === "creating";
  useEffect(() => {
    void loadLaunches();
  }, []);
  useEffect(() => {
    if (!isPreparing) return;
    const timer = setInterval(loadLaunches, POLL_MS);
    return () => clearInterval(timer);
  }, [isPreparing]);
  if (found && slot)
    return (
      <Empty title={name}>
        <p role="status">{slot.error?.message ?? statusText(slotStatus(slot, found.launch))}</p>
        <Link href={`/launches/${found.launch.id}`} className="text-accent underline">
          {found.launch.name}
        </Link>
      </Empty>
    );
  if (error === undefined) return <p className="m-auto text-faint">Opening the session…</p>;
  return (
    <Empty title="Session not found">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <Button onClick={() => onChange(removeTile(ids, id))}>Close tile</Button>
    </Empty>
  );
}
