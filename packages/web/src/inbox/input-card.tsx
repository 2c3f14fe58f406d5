import type { InputRequest } from "@gantry/protocol";

/** One pending input with everything needed to decide it, in the inbox and in the transcript alike. */
export function InputCard({ input }: { input: InputRequest }) {
  return <fieldset aria-label={input.title} />;
}
