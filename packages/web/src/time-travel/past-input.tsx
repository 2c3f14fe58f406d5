import type { InputRequest } from "@gantry/protocol";
import { InputBody } from "../inbox/card/input-body.tsx";
import { InputHeader } from "../inbox/card/input-header.tsx";

/** A request that was pending at a moment. It cannot be answered there. */
export function PastInput({ input }: { input: InputRequest }) {
  return (
    <section
      aria-label={`Pending at this moment: ${input.title}`}
      className="min-w-0 overflow-hidden rounded-lg border border-need-fill/50 bg-surface"
    >
      <InputHeader input={input} settled />
      <InputBody input={input} />
      <p className="border-t border-line px-3 py-1.5 text-xs text-need">Waiting for an answer at this moment</p>
    </section>
  );
}
