import type { ConflictMatrix } from "@gantry/protocol";
import { Link } from "wouter";

/** In which order the lanes of a repository are landed with the least trouble; only where there is an order to choose. */
export function LandingOrder({ radar }: { radar: ConflictMatrix }) {
  const changed = radar.order.filter(({ lane }) => radar.lanes.some((own) => own.lane === lane && own.files > 0));
  if (changed.length < 2) return null;
  return (
    <details className="mt-2 text-soft">
      <summary className="cursor-pointer text-xs font-medium hover:text-ink">
        Order to land in: {changed.map(({ name }) => name).join(", then ")}
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
