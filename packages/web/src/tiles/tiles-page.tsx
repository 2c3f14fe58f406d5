import { Fragment, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import { useCell } from "../store/cell.ts";
import { AddTileDialog } from "./add-tile-dialog.tsx";
import { widthOf } from "./divide-widths.ts";
import { Tile } from "./tile.tsx";
import { TileDivider } from "./tile-divider.tsx";
import { addTile, moveTile, nextTile, parseTiles, removeTile, tilesPath } from "./tile-list.ts";
import { tileWidths } from "./tile-widths.ts";
import { TilesBar } from "./tiles-bar.tsx";
import { type TileFocus, useTileFocus } from "./use-tile-focus.ts";

/** Several live sessions side by side: `/s/a+b+c`. The address is the arrangement. */
export default function TilesPage({ id: address }: { id: string }) {
  const [, go] = useLocation();
  const ids = useMemo(() => parseTiles(address), [address]);
  const widths = useCell(tileWidths);
  // `/s/a+` asks for the second session.
  const [adding, setAdding] = useState(ids.length === 1);
  const focus = useTileFocus(ids);
  const change = (next: readonly string[]) => go(tilesPath(next), { replace: true });
  useTileKeys(ids, focus, change);
  return (
    <section aria-label="Tiles" className="flex min-h-0 grow flex-col">
      <TilesBar ids={ids} focused={focus.focused} onFocus={focus.focus} onAdd={() => setAdding(true)} />
      <div ref={focus.frame} className="flex min-h-0 grow snap-x overflow-x-auto max-[799px]:snap-mandatory">
        {ids.map((id, index) => (
          <Fragment key={id}>
            {index > 0 && (
              <TileDivider left={ids[index - 1] ?? ""} right={id} label={`Width of tiles ${index} and ${index + 1}`} />
            )}
            <Tile
              id={id}
              ids={ids}
              width={widthOf(widths, id)}
              focused={id === focus.focused}
              onFocus={() => focus.note(id)}
              onChange={change}
            />
          </Fragment>
        ))}
      </div>
      {adding && (
        <AddTileDialog
          ids={ids}
          onClose={() => {
            setAdding(false);
            if (ids.length === 1) change(ids);
          }}
          onAdd={(id) => {
            setAdding(false);
            change(addTile(ids, id, focus.focused));
          }}
        />
      )}
    </section>
  );
}

function useTileKeys(ids: readonly string[], { focused, focus }: TileFocus, change: (ids: string[]) => void): void {
  const step = (by: number) => focus(nextTile(ids, focused, by));
  const move = (by: number) => {
    if (focused !== undefined) change(moveTile(ids, focused, ids.indexOf(focused) + by));
  };
  const numbered = ids.slice(0, 9).map(
    (id, index): Shortcut => ({
      keys: String(index + 1),
      does: `Focus tile ${index + 1}`,
      run: () => focus(id),
    }),
  );
  useShortcuts([
    { keys: "f6", does: "Next tile", run: () => step(1), whileTyping: true },
    { keys: "shift+f6", does: "Previous tile", run: () => step(-1), whileTyping: true },
    { keys: "]", does: "Next tile", run: () => step(1) },
    { keys: "[", does: "Previous tile", run: () => step(-1) },
    { keys: "}", does: "Move the tile right", run: () => move(1) },
    { keys: "{", does: "Move the tile left", run: () => move(-1) },
    { keys: "x", does: "Close the tile", run: () => focused !== undefined && change(removeTile(ids, focused)) },
    ...numbered,
  ]);
}
