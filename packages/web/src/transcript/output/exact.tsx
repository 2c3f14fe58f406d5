import { useMemo } from "react";
import { pieces } from "./controls.ts";

/** Text as it is, with what cannot be seen shown by name, and with no say in the direction of what stands around it. */
export function Exact({ text }: { text: string }) {
  const parts = useMemo(() => pieces(text), [text]);
  return (
    <bdi dir="ltr">
      {parts.map((part, index) =>
        "text" in part ? (
          part.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name.
          <span key={index} className="rounded-sm bg-need-wash px-0.5 text-[0.85em] text-need" title="Unseen character">
            {part.control}
          </span>
        ),
      )}
    </bdi>
  );
}
