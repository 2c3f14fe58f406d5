import type { SearchHit } from "@gantry/protocol";
import { useMemo } from "react";
import { agentName, agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { useSession } from "../store/sessions/hooks.ts";
import { Ago } from "../ui/display/ago.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { groupHits, type HitGroup, kindOf, splitSnippet } from "./snippet.ts";

/** Search hits by session. Each hit links to its event in the transcript. */
export function Hits({ hits }: { hits: readonly SearchHit[] }) {
  const groups = useMemo(() => groupHits(hits), [hits]);
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-5">
      {groups.map((group) => (
        <Group key={group.session} group={group} />
      ))}
    </div>
  );
}

function Group({ group }: { group: HitGroup }) {
  const session = useSession(group.session);
  const rows = useCell(agents);
  return (
    <section>
      <h2 className="flex items-baseline gap-x-2 pb-1 max-sm:flex-col">
        <SessionLink id={group.session} className="max-w-full truncate font-semibold hover:underline">
          {session?.title ?? group.title}
        </SessionLink>
        {session && (
          <span className="max-w-full truncate text-xs font-normal text-faint">
            {agentName(rows, session.agent)} · {session.cwd}
          </span>
        )}
      </h2>
      <ul className="overflow-hidden rounded-lg border border-line">
        {group.hits.map((hit) => (
          <li key={hit.seq} className="border-b border-line last:border-b-0">
            <Hit hit={hit} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Hit({ hit }: { hit: SearchHit }) {
  return (
    <SessionLink
      id={hit.session}
      seq={hit.seq}
      data-hit
      className="flex items-baseline gap-3 px-3 py-1.5 hover:bg-hover focus-visible:bg-hover focus-visible:-outline-offset-2"
    >
      <span className="w-16 shrink-0 text-xs text-faint">{kindOf(hit)}</span>
      <span className="line-clamp-3 min-w-0 grow wrap-break-word text-soft">
        {splitSnippet(hit.snippet).map(({ text, marked }, index) =>
          marked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a snippet never change their order.
            <mark key={index} className="rounded-sm bg-need-wash px-0.5 font-medium text-need">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </span>
      <Ago at={hit.at} className="shrink-0 text-2xs text-faint" />
    </SessionLink>
  );
}
