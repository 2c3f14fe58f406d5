import { SearchIcon } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { useSearchParams } from "wouter";
import { Keys } from "../ui/controls/keys.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { filterNames, filterQuery, type SearchFilters } from "./filter-query.ts";
import { Hits } from "./hits.tsx";
import { SearchFilterBar } from "./search-filters.tsx";
import { MAX_HITS, useHits } from "./use-hits.ts";

/** Full-text search over all sessions. The query and the filters are in the address, so that they can be bookmarked. */
export default function Search() {
  const [params, setParams] = useSearchParams();
  const text = params.get("q") ?? "";
  const filters: SearchFilters = Object.fromEntries(
    filterNames.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])),
  );
  const { found, searching } = useHits(text.trim(), filterQuery(filters));
  const view = useRef<HTMLElement>(null);
  const setQuery = (q: string, next = filters) => {
    const given = Object.entries({ q, ...next }).filter(([, value]) => value);
    setParams(Object.fromEntries(given) as Record<string, string>, { replace: true });
  };
  return (
    <section ref={view} aria-label="Search results" className="flex min-h-0 grow flex-col">
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-5">
        <h1 className="sr-only">Search</h1>
        <SearchIcon size={16} aria-hidden="true" className="text-faint" />
        <input
          type="search"
          aria-label="Search"
          // biome-ignore lint/a11y/noAutofocus: the field is the first and main element of the view.
          autoFocus
          placeholder="Search messages, commands and output"
          value={text}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={(event) => moveFocus(view.current, event)}
          className="h-8 [&::-webkit-search-cancel-button]:hidden min-w-0 grow bg-transparent text-base outline-none placeholder:text-faint"
        />
        <p role="status" className="text-xs text-faint">
          {searching ? "Searching…" : found && countText(found.hits.length)}
        </p>
      </header>
      <SearchFilterBar filters={filters} onChange={(next) => setQuery(text, next)} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between its links. */}
      <div className="min-h-0 grow overflow-y-auto p-5" onKeyDown={(event) => moveFocus(view.current, event)}>
        {found && found.hits.length > 0 && <Hits hits={found.hits} />}
        {found && found.hits.length === 0 && !searching && <None query={found.query} />}
        {text.trim() === "" && <Start />}
      </div>
    </section>
  );
}

/** The arrow keys move the focus between hits, and from the first hit back to the field. */
function moveFocus(view: HTMLElement | null, event: KeyboardEvent): void {
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
  if (count >= MAX_HITS) return `${MAX_HITS} matches, more exist`;
  return count === 1 ? "1 match" : `${count} matches`;
}

function None({ query }: { query: string }) {
  return (
    <Empty title={`No matches for “${query}”`}>
      <p>
        All search terms must occur in the same message, command or output. Try fewer terms, the start of one, or fewer
        filters.
      </p>
    </Empty>
  );
}

function Start() {
  return (
    <Empty title="Search all sessions" icon={<SearchIcon size={28} strokeWidth={1.5} />}>
      <p>
        Finds messages, commands and output in every session, including archived ones. <Keys keys="down" />{" "}
        <Keys keys="up" /> move between matches, <Keys keys="enter" /> opens one in its session.
      </p>
    </Empty>
  );
}
