import type { SessionView } from "@gantry/protocol";
import { classes } from "../ui/classes.ts";
import { formatCount, formatExact } from "../ui/display/format.ts";
import { describeCost } from "./describe-cost.ts";

/** Above this share the agent is about to compact its conversation. */
const NEARLY_FULL = 0.85;

/** Context, tokens and cost of the session so far. After the first turn, a missing figure is shown as unknown. */
export function Meters({ session: { context, usage, cost, unpriced = 0, lastTurn } }: { session: SessionView }) {
  const tokens = usage.input + usage.output;
  if (!lastTurn && !context && tokens === 0) return null;
  return (
    <dl className="hidden shrink-0 items-center gap-4 text-xs @3xl:flex text-soft tabular-nums">
      {context ? (
        <Context used={context.used} size={context.size} />
      ) : (
        <Figure name="Context" value="unknown" title="The agent does not report its context." />
      )}
      <Figure
        name="Tokens"
        value={tokens > 0 ? formatCount(tokens) : "unknown"}
        title={
          tokens > 0
            ? `${formatExact(usage.input)} in (${formatExact(usage.cacheRead)} from cache), ${formatExact(usage.output)} out`
            : "The agent does not report its tokens."
        }
      />
      <Figure name="Cost" {...describeCost(cost, unpriced)} />
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
