import type { SessionView } from "@gantry/protocol";
import { ArrowLeft, ArrowRight, Ellipsis, Maximize2, X } from "lucide-react";
import { useLocation } from "wouter";
import { StateText } from "../session/session-state.tsx";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { Button } from "../ui/controls/button.tsx";
import { Menu } from "../ui/controls/menu.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { StateDot } from "../ui/display/state-dot.tsx";
import { moveTile, removeTile } from "./tile-list.ts";

/** The data type of a dragged tile. */
export const TILE_DATA = "application/x-gantry-tile";

type TileHeaderProps = {
  session: SessionView;
  ids: readonly string[];
  onChange: (ids: readonly string[]) => void;
};

/** Title, agent and state of one tile, with its place among the others. Dragging it moves the tile. */
export function TileHeader({ session, ids, onChange }: TileHeaderProps) {
  const [, go] = useLocation();
  const name = agentName(useCell(agents), session.agent);
  const at = ids.indexOf(session.id);
  const move = (to: number) => onChange(moveTile(ids, session.id, to));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu moves the tile by keyboard and touch.
    <header
      draggable
      onDragStart={(event) => event.dataTransfer.setData(TILE_DATA, session.id)}
      className="flex shrink-0 cursor-grab items-center gap-2 border-b border-line px-3 py-1.5 active:cursor-grabbing"
    >
      <div className="min-w-0 grow">
        <h2 className="flex min-w-0 items-center gap-2 font-semibold">
          <StateDot session={session} />
          <SessionLink id={session.id} className="truncate hover:underline">
            {session.title}
          </SessionLink>
        </h2>
        <p className="flex min-w-0 items-center gap-1.5 pl-4 text-xs text-faint">
          <span className="shrink-0 text-soft">{name}</span>
          <span aria-hidden="true">·</span>
          <StateText session={session} />
        </p>
      </div>
      <div className="flex shrink-0 items-center">
        <Menu
          label={`Tile menu: ${session.title}`}
          icon={<Ellipsis size={15} />}
          entries={[
            { label: "Move left", icon: <ArrowLeft size={14} />, disabled: at === 0, run: () => move(at - 1) },
            {
              label: "Move right",
              icon: <ArrowRight size={14} />,
              disabled: at === ids.length - 1,
              run: () => move(at + 1),
            },
            { label: "Open alone", icon: <Maximize2 size={14} />, run: () => go(`/s/${session.id}`) },
          ]}
        />
        <Button
          look="quiet"
          label={`Close tile: ${session.title}`}
          icon={<X size={15} />}
          onClick={() => onChange(removeTile(ids, session.id))}
        />
      </div>
    </header>
  );
}
