import type { CommitPlan, SessionView } from "@gantry/protocol";
import { GitBranch, Layers2 } from "lucide-react";
import { Link } from "wouter";
import { client } from "../../store/connection/client.ts";
import { useQuery } from "../../ui/load/use-query.ts";
import { gitFacts } from "./git-facts.ts";

/** The lane and the branch of a session, with uncommitted files and the distance from the base. */
export function GitSummary({ session, plan }: { session: SessionView; plan: CommitPlan | undefined }) {
  return (
    <>
      {session.lane && <LaneLink id={session.lane} name={plan?.laneName} />}
      {plan && <Branch plan={plan} />}
    </>
  );
}

/** A lane is shown by its name. The folder of a removed lane is gone, so it has no plan. */
function LaneLink({ id, name }: { id: string; name: string | undefined }) {
  const { value } = useQuery(`${id} ${name === undefined}`, async () =>
    name === undefined ? client.lanes.get(id).catch(() => undefined) : undefined,
  );
  const shown = name ?? value?.name;
  return (
    <Link
      href={`/lanes/${id}`}
      title={shown ? `Lane ${shown}` : "Lane"}
      className="flex min-w-0 max-w-56 shrink items-center gap-1 hover:text-ink max-sm:hidden"
    >
      <Layers2 size={12} aria-hidden="true" className="shrink-0" />
      <span className="sr-only">Lane </span>
      <span className="truncate">{shown ?? "Lane"}</span>
    </Link>
  );
}

function Branch({ plan }: { plan: CommitPlan }) {
  const { short, full } = gitFacts(plan);
  return (
    <span title={full} className="flex min-w-0 max-w-80 shrink items-center gap-1 max-sm:hidden">
      <span className="sr-only">{full}</span>
      <GitBranch size={12} aria-hidden="true" className="shrink-0" />
      <span aria-hidden="true" className="truncate">
        {plan.branch ?? "No branch"}
      </span>
      {short.map(({ text, name }) => (
        <span key={name} aria-hidden="true" className="shrink-0 text-soft tabular-nums">
          {text}
        </span>
      ))}
    </span>
  );
}
