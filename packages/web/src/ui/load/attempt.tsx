import { GantryError } from "@gantry/protocol";
import { useState } from "react";

/** Runs the action of a dialog. `busy` while it runs; `problem` is what it rejected with. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const attempt = (work: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(undefined);
    work()
      .catch(setProblem)
      .finally(() => setBusy(false));
  };
  return { attempt, busy, problem };
}

/** An error with its remedy. Renders an empty alert region while there is none. */
export function ErrorMessage({ problem }: { problem: unknown }) {
  const remedy = problem instanceof GantryError ? problem.remedy : undefined;
  return (
    <div role="alert" className="empty:hidden">
      {problem !== undefined && (
        <p className="mt-3 rounded-md bg-bad-wash px-3 py-2">
          <b className="font-medium text-bad">{problem instanceof Error ? problem.message : String(problem)}</b>
          {remedy && <span className="block text-soft">{remedy}</span>}
        </p>
      )}
    </div>
  );
}
