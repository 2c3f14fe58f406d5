import type { Problem } from "@gantry/protocol";

/** Entries that could not be read. They are ignored until they are fixed. */
export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className="mb-4 rounded-lg border border-bad/40 bg-bad-wash px-4 py-2">
      {problems.map(({ code, message, fix }) => (
        <li key={code + message} className="py-0.5">
          <span className="text-bad">{message}</span> <span className="text-soft">{fix}</span>
        </li>
      ))}
    </ul>
  );
}
