import { Paperclip } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { addAttachments } from "../draft-actions.ts";

/** Attaches files from this machine to the draft. */
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
