import { type DragEvent, useEffect, useRef, useState } from "react";
import { Composer } from "../composer/composer.tsx";
import { findPendingCard, useAnswerKeys } from "../inbox/answer-keys.ts";
import { ShortcutScope } from "../shell/shortcuts.ts";
import { useSession } from "../store/sessions/hooks.ts";
import { loadSession } from "../store/sessions/sessions.ts";
import { Transcript } from "../transcript/transcript.tsx";
import { TrustBanner } from "../trust/trust-banner.tsx";
import { classes } from "../ui/classes.ts";
import { PendingTile } from "./pending-tile.tsx";
import { TILE_DATA, TileHeader } from "./tile-header.tsx";
import { moveTile } from "./tile-list.ts";

type TileProps = {
  id: string;
  ids: readonly string[];
  width: number;
  /** Keyboard shortcuts act on the focused tile only. */
  focused: boolean;
  onFocus: () => void;
  onChange: (ids: readonly string[]) => void;
};

/** One live session among others: header, transcript with its approvals, composer. */
export function Tile({ id, ids, width, focused, onFocus, onChange }: TileProps) {
  const session = useSession(id);
  const error = useLoad(id, session !== undefined);
  const [over, setOver] = useState(false);
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(TILE_DATA)) return;
    event.preventDefault();
    setOver(event.type === "dragover");
    if (event.type !== "drop") return;
    onChange(moveTile(ids, event.dataTransfer.getData(TILE_DATA), ids.indexOf(id)));
  };
  return (
    <ShortcutScope value={focused}>
      <section
        aria-label={session?.title ?? "Session"}
        data-tile={id}
        onFocus={onFocus}
        onPointerDown={onFocus}
        onDragOver={onDrag}
        onDragLeave={onDrag}
        onDrop={onDrag}
        style={{ flexGrow: width }}
        className={classes(
          "@container flex min-h-0 min-w-80 basis-0 snap-start flex-col border-t-2 max-[799px]:min-w-full",
          focused ? "border-accent" : "border-transparent",
          over && "bg-accent-wash",
        )}
      >
        {session ? (
          <>
            <TileHeader session={session} ids={ids} onChange={onChange} />
            <TrustBanner folder={session.cwd} of={session.lane === undefined ? "session" : "lane"} />
            <Transcript session={id} />
            <Composer session={id} label={`Composer of ${session.title}`} />
            <TileKeys id={id} pending={session.inputs.length > 0} />
          </>
        ) : (
          <PendingTile id={id} ids={ids} error={error} onChange={onChange} />
        )}
      </section>
    </ShortcutScope>
  );
}

/** The keys that answer a request of this tile. */
function TileKeys({ id, pending }: { id: string; pending: boolean }) {
  useAnswerKeys(() => findPendingCard(document.querySelector(`[data-tile="${CSS.escape(id)}"]`) ?? undefined), pending);
  return null;
}

/** Loads a session that the store does not have yet. Returns why it could not be loaded. */
function useLoad(id: string, known: boolean): unknown {
  const [error, setError] = useState<unknown>();
  const latest = useRef(id);
  latest.current = id;
  useEffect(() => {
    if (known) return;
    setError(undefined);
    loadSession(id).catch((reason: unknown) => latest.current === id && setError(reason));
  }, [id, known]);
  return error;
}
