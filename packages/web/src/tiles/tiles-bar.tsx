import type { Launch } from "@gantry/protocol";
import { Columns3, Plus, Rocket } from "lucide-react";
import { useLocation } from "wouter";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { useLaunches } from "../store/launches.ts";
import { useSession } from "../store/sessions/hooks.ts";
import { classes } from "../ui/classes.ts";
import { Button } from "../ui/controls/button.tsx";
import { StateDot } from "../ui/display/state-dot.tsx";
import { MAX_TILES } from "./tile-list.ts";

type TilesBarProps = {
  ids: readonly string[];
  focused: string | undefined;
  onFocus: (id: string) => void;
  onAdd: () => void;
};

/** The bar above the tiles: which sessions are open, and the launch that they belong to. On a phone it selects the tile. */
export function TilesBar({ ids, focused, onFocus, onAdd }: TilesBarProps) {
  const [, go] = useLocation();
  const launch = useCommonLaunch(ids);
  return (
    <header className="flex min-h-10 shrink-0 items-center gap-2 border-b border-line px-3 max-[799px]:px-1">
      <h1 className="flex min-w-0 items-center gap-1.5 font-semibold max-[799px]:sr-only">
        <Columns3 size={14} aria-hidden="true" className="shrink-0 text-faint" />
        <span className="truncate">{launch?.name ?? `${ids.length} sessions`}</span>
      </h1>
      <nav aria-label="Tiles" className="flex min-w-0 grow items-center gap-0.5 overflow-x-auto [scrollbar-width:none]">
        {ids.map((id, index) => (
          <TileTab key={id} id={id} place={index + 1} current={id === focused} onClick={() => onFocus(id)} />
        ))}
      </nav>
      {launch && (
        <Button
          look="quiet"
          icon={<Rocket size={14} />}
          title="Compare the results of the launch"
          onClick={() => go(`/launches/${launch.id}`)}
        >
          Compare
        </Button>
      )}
      <Button
        look="quiet"
        label="Add session"
        icon={<Plus size={15} />}
        disabled={ids.length >= MAX_TILES}
        onClick={onAdd}
      />
    </header>
  );
}

type TileTabProps = { id: string; place: number; current: boolean; onClick: () => void };

function TileTab({ id, place, current, onClick }: TileTabProps) {
  const session = useSession(id);
  const rows = useCell(agents);
  return (
    <button
      type="button"
      data-tab={id}
      aria-current={current || undefined}
      title={session?.title}
      onClick={onClick}
      className={classes(
        "flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2 text-xs pointer-coarse:min-h-11 hover:bg-hover",
        current ? "bg-hover text-ink" : "text-soft",
      )}
    >
      {session && <StateDot session={session} />}
      <span className="max-w-32 truncate">
        <span className="sr-only">Tile </span>
        {place} {session ? agentName(rows, session.agent) : "…"}
        {session && <span className="sr-only">: {session.title}</span>}
      </span>
    </button>
  );
}

/** The launch that all sessions belong to. */
function useCommonLaunch(ids: readonly string[]): Launch | undefined {
  return useLaunches().find(({ slots }) => ids.every((id) => slots.some(({ session }) => session === id)));
}
