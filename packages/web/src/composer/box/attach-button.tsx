import { Paperclip } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { addAttachments } from "../draft.ts";

/** Picks files from this machine for the draft. */
export function AttachButton({ draft }: { draft: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-hidden="true"
        tabIndex={-1}
        onChange={(event) => {
          void addAttachments(draft, event.target.files ?? []);
          event.target.value = "";
        }}
      />
      <Button look="quiet" label="Attach files" icon={<Paperclip size={15} />} onClick={() => input.current?.click()} />
    </>
  );
}

/** Takes files that are dropped on an element into the draft; `over` while some are held above it. */
export function useFileDrop(draft: string) {
  const [over, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes("Files");
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      void addAttachments(draft, event.dataTransfer.files);
    },
  };
  return { over, handlers };
}
