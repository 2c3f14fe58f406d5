import type { SessionView } from "@gantry/protocol";
import { classes } from "../ui/classes.ts";
import { formatCount, formatDollars, formatExact } from "../ui/display/format.ts";

/** Above this share the agent is about to compact its conversation. */
const NEARLY_FULL = 0.85;

/** Context, tokens and cost of the session so far. */
export function Meters({ session: { context, usage, cost } }: { session: SessionView }) {
  const tokens = usage.input + usage.output;
  return (
    <dl className="hidden shrink-0 items-center gap-4 text-xs @3xl:flex text-soft tabular-nums">
      {context && <Context used={context.used} size={context.size} />}
      {tokens > 0 && (
        <Figure
          name="Tokens"
          value={formatCount(tokens)}
          title={`${formatExact(usage.input)} in (${formatExact(usage.cacheRead)} from cache), ${formatExact(usage.output)} out`}
        />
      )}
      {cost && (
        <Figure
          name="Cost"
          value={formatDollars(cost.usd)}
          title={cost.source === "agent" ? "Reported by the agent" : "Estimated from list prices"}
        />
      )}
    </dl>
  );
}

function Figure({ name, value, title }: { name: string; value: string; title: string }) {
  return (
    <div title={title} className="flex items-baseline gap-1">
      <dt className="text-2xs text-faint">{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Context({ used, size }: { used: number; size?: number }) {
  const share = size ? Math.min(used / size, 1) : undefined;
  const title = size
    ? `${formatExact(used)} of ${formatExact(size)} tokens of context used`
    : `${formatExact(used)} tokens of context used`;
  return (
    <div title={title} className="flex items-center gap-1.5">
      <dt className="text-2xs text-faint">Context</dt>
      <dd className="flex items-center gap-1.5">
        {share !== undefined && (
          <span aria-hidden="true" className="h-1 w-12 overflow-hidden rounded-full bg-line">
            <span
              style={{ width: `${share * 100}%` }}
              className={classes("block h-full rounded-full", share > NEARLY_FULL ? "bg-need-fill" : "bg-accent-fill")}
            />
          </span>
        )}
        {size ? `${formatCount(used)} / ${formatCount(size)}` : formatCount(used)}
      </dd>
    </div>
  );
}
