import { GantryError } from "@gantry/protocol";
import { Button } from "../controls/button.tsx";

/** Shown in place of content that could not be loaded: what happened, what to do, and a retry button. */
export function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = error instanceof GantryError ? error.remedy : undefined;
  return (
    <div role="alert" className="flex items-center gap-3 rounded-lg border border-bad/40 bg-bad-wash px-4 py-3">
      <p className="grow">
        <b className="font-medium text-bad">{message}</b>
        {remedy && <span className="block text-soft">{remedy}</span>}
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
