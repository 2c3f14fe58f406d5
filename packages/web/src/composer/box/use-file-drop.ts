import { useEffect, useState } from "react";
import { addAttachments } from "../draft-actions.ts";

/**
 * Attaches files that are dropped anywhere on the page to the draft; true while files are dragged over it. Without this,
 * the browser would navigate away to the dropped file.
 */
export function useFileDrop(draft: string): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: "dragover" | "dragleave" | "drop", then: (event: DragEvent) => void) =>
      addEventListener(type, (event) => event.dataTransfer?.types.includes("Files") && then(event), {
        signal: stop.signal,
      });
    listen("dragover", (event) => {
      event.preventDefault();
      setOver(!isElsewhere(event, draft));
    });
    listen("dragleave", (event) => event.relatedTarget === null && setOver(false));
    listen("drop", (event) => {
      event.preventDefault();
      setOver(false);
      if (!isElsewhere(event, draft)) void addAttachments(draft, event.dataTransfer?.files ?? []);
    });
    return () => stop.abort();
  }, [draft]);
  return over;
}

/** With several tiles, files belong to the one that they are dropped on. */
function isElsewhere({ target }: DragEvent, draft: string): boolean {
  if (!document.querySelector("[data-tile]")) return false;
  const tile = target instanceof Element ? target.closest("[data-tile]") : null;
  return tile?.getAttribute("data-tile") !== draft;
}
