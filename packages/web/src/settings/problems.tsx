import type { Problem } from "@gantry/protocol";

/** What is wrong with entries that could not be read: they are left out until they are mended. */
export function Problems({ problems }: { problems: readonly Problem[] }) {
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
