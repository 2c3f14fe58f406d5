import { useMemo } from "react";
import { splitHidden } from "./hidden-characters.ts";

/** Untrusted text with hidden characters made visible, isolated from the text direction around it. */
export function ExactText({ text }: { text: string }) {
  const parts = useMemo(() => splitHidden(text), [text]);
  return (
    <bdi dir="ltr">
      {parts.map((part, index) =>
        "text" in part ? (
          part.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no ids.
          <span key={index} className="rounded-sm bg-need-wash px-0.5 text-[0.85em] text-need" title="Hidden character">
            {part.control}
          </span>
        ),
      )}
    </bdi>
  );
}
