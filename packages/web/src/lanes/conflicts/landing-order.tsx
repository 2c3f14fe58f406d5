import type { ConflictMatrix } from "@gantry/protocol";
import { Link } from "wouter";

/** The landing order with the fewest conflicts. Shown if at least two lanes have changes. */
export function LandingOrder({ conflicts }: { conflicts: ConflictMatrix }) {
  const changed = conflicts.order.filter(({ lane }) =>
    conflicts.lanes.some((own) => own.lane === lane && own.files > 0),
  );
  if (changed.length < 2) return null;
  return (
    <details className="mt-2 text-soft">
      <summary className="cursor-pointer text-xs font-medium hover:text-ink">
        Suggested landing order: {changed.map(({ name }) => name).join(", then ")}
      </summary>
      <ol className="mt-1 ml-5 list-decimal text-xs">
        {changed.map(({ lane, name, reason }) => (
          <li key={lane}>
            <Link href={`/lanes/${lane}`} className="font-medium text-ink hover:underline">
              {name}
            </Link>{" "}
            {reason}
          </li>
        ))}
      </ol>
    </details>
  );
}
