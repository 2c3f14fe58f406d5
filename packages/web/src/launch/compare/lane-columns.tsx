import type { ComparedLane } from "@gantry/protocol";

/** One column per lane, all of the same width. */
export function LaneColumns({
  lanes,
  children,
}: {
  lanes: readonly ComparedLane[];
  children: (lane: ComparedLane) => React.ReactNode;
}) {
  return (
    <div className="flex snap-x gap-3 overflow-x-auto pb-2">
      {lanes.map((lane) => (
        <section key={lane.lane} aria-label={lane.name} className="min-w-60 flex-1 snap-start max-sm:min-w-[88%]">
          <h2 className="truncate pb-1.5 text-xs font-medium text-soft">{lane.name}</h2>
          {children(lane)}
        </section>
      ))}
    </div>
  );
}
