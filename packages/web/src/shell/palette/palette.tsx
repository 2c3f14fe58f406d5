import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { classes } from "../../ui/classes.ts";
import { Keys } from "../../ui/controls/keys.tsx";
import type { Feature } from "../feature.ts";
import { closeOverlay } from "../overlays.ts";
import { type Entry, findEntries } from "./find-entries.ts";
import { typedEarly } from "./palette-wait.tsx";
import { usePaletteEntries } from "./use-palette-entries.ts";

/** The command palette: finds sessions, projects, views and actions by a few letters. */
export default function Palette({ features }: { features: readonly Feature[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [query, setQuery] = useState(() => typedEarly.get().text);
  const [at, setAt] = useState(0);
  const found = useResults(features, query);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    closeOverlay();
    entry.run();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed while this code was fetched.
  useEffect(() => {
    const { isEntered } = typedEarly.get();
    typedEarly.set({ text: "", isEntered: false });
    if (isEntered) choose(found[0]);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) choose(found[at]);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || found.length === 0) return;
    event.preventDefault();
    setAt((at + step + found.length) % found.length);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a native dialog on Escape.
    <dialog
      ref={dialog}
      aria-label="Command palette"
      onClose={closeOverlay}
      onClick={(event) => event.target === dialog.current && closeOverlay()}
      className="mx-auto mt-[12vh] w-full max-w-xl flex-col overflow-hidden rounded-xl border border-line bg-raised p-0 text-ink shadow-raised backdrop:bg-black/30 open:flex"
    >
      <input
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={found[at] ? `${list}-${at}` : undefined}
        autoFocus
        placeholder="Search sessions, projects, views and actions"
        value={query}
        onChange={(event) => [setQuery(event.target.value), setAt(0)]}
        onKeyDown={onKeyDown}
        className="h-11 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-faint"
      />
      <Results id={list} entries={found} at={at} onPoint={setAt} onChoose={choose} />
    </dialog>
  );
}

function useResults(features: readonly Feature[], query: string): Entry[] {
  const entries = usePaletteEntries(features);
  const [, go] = useLocation();
  return useMemo(() => {
    const found = findEntries(entries, query);
    if (query.trim() === "") return found;
    const name = `Search all sessions for “${query.trim()}”`;
    const run = () => go(`/search?q=${encodeURIComponent(query.trim())}`);
    return [...found, { id: "search", group: "Actions", name, run } satisfies Entry];
  }, [entries, query, go]);
}

type ResultsProps = {
  id: string;
  entries: readonly Entry[];
  at: number;
  onPoint: (at: number) => void;
  onChoose: (entry: Entry) => void;
};

function Results({ id, entries, at, onPoint, onChoose }: ResultsProps) {
  const indexed = entries.map((entry, index) => ({ entry, index }));
  const groups = [...Map.groupBy(indexed, ({ entry }) => entry.group)];
  return (
    <div id={id} role="listbox" aria-label="Commands" className="max-h-[50vh] overflow-y-auto p-1.5">
      {groups.map(([group, inside]) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox, not a fieldset.
        <div key={group} role="group" aria-label={group}>
          <div role="presentation" className="px-2.5 pt-2 pb-0.5 text-2xs font-semibold text-faint">
            {group}
          </div>
          {inside.map(({ entry, index }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys for all options.
            <div
              key={entry.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              ref={(element) => void (index === at && element?.scrollIntoView({ block: "nearest" }))}
              onPointerMove={() => onPoint(index)}
              onClick={() => onChoose(entry)}
              className={classes(
                "flex cursor-pointer items-center gap-3 rounded-md px-2.5 py-1 pointer-coarse:min-h-11",
                index === at && "bg-hover",
              )}
            >
              <span className="min-w-0 shrink-0 truncate max-w-[70%]">{entry.name}</span>
              <span className="min-w-0 grow truncate text-xs text-faint">{entry.hint}</span>
              {entry.keys && <Keys keys={entry.keys} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
