import { SearchIcon } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { useSearchParams } from "wouter";
import { Keys } from "../ui/controls/keys.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { Hits } from "./hits.tsx";
import { MOST_HITS, useHits } from "./use-hits.ts";

/** Full text over all sessions. The address holds the query, so that it can be kept and come back to. */
export default function Search() {
  const [params, setParams] = useSearchParams();
  const text = params.get("q") ?? "";
  const { found, searching } = useHits(text.trim());
  const view = useRef<HTMLElement>(null);
  const type = (words: string) => setParams(words ? { q: words } : {}, { replace: true });
  return (
    <section ref={view} aria-label="Search results" className="flex min-h-0 grow flex-col">
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-5">
        <h1 className="sr-only">Search</h1>
        <SearchIcon size={16} aria-hidden="true" className="text-faint" />
        <input
          type="search"
          aria-label="Search"
          // biome-ignore lint/a11y/noAutofocus: the view is this field; there is nothing before it to be missed.
          autoFocus
          placeholder="Search everything that was said and done"
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => walk(view.current, event)}
          className="h-8 [&::-webkit-search-cancel-button]:hidden min-w-0 grow bg-transparent text-base outline-none placeholder:text-faint"
        />
        <p role="status" className="text-xs text-faint">
          {searching ? "Searching …" : found && countText(found.hits.length)}
        </p>
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links in it. */}
      <div className="min-h-0 grow overflow-y-auto p-5" onKeyDown={(event) => walk(view.current, event)}>
        {found && found.hits.length > 0 && <Hits hits={found.hits} />}
        {found && found.hits.length === 0 && !searching && <None query={found.query} />}
        {text.trim() === "" && <Start />}
      </div>
    </section>
  );
}

/** Arrows go from hit to hit, and up from the first one back into the field. */
function walk(view: HTMLElement | null, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !view) return;
  const stops = [...view.querySelectorAll<HTMLElement>("input, [data-hit]")];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

function countText(count: number): string {
  if (count >= MOST_HITS) return `The first ${MOST_HITS} matches`;
  return count === 1 ? "1 match" : `${count} matches`;
}

function None({ query }: { query: string }) {
  return (
    <Empty title={`Nothing found for “${query}”`}>
      <p>All words have to occur in the same message, command or output. Try fewer words, or the beginning of one.</p>
    </Empty>
  );
}

function Start() {
  return (
    <Empty title="Search all sessions" icon={<SearchIcon size={28} strokeWidth={1.5} />}>
      <p>
        Messages, commands and their output, in every session and the archive. <Keys keys="down" /> <Keys keys="up" />{" "}
        go through what is found, <Keys keys="enter" /> opens it at its place.
      </p>
    </Empty>
  );
}
