import type { Problem } from "@gantry/protocol";
import { TriangleAlert } from "lucide-react";
import { InlineCode } from "../../ui/display/inline-code.tsx";

/** Problems of an agent, each with its fix. */
export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul aria-label="Problems" className="flex flex-col gap-1.5">
      {problems.map(({ code, message, fix }) => (
        <li key={code} className="flex gap-2 rounded-md bg-need-wash px-2.5 py-1.5">
          <TriangleAlert size={14} className="mt-0.5 shrink-0 text-need" aria-hidden="true" />
          <p className="min-w-0 wrap-break-word">
            <InlineCode text={message} />
            {fix && (
              <span className="block text-soft">
                <InlineCode text={fix} />
              </span>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
