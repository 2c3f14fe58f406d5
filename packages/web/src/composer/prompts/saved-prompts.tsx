import type { SavedPrompt } from "@gantry/protocol";
import { Bookmark, BookmarkPlus, Trash2 } from "lucide-react";
import { type RefObject, useState } from "react";
import { client } from "../../store/connection/client.ts";
import { draftOf, setDraftText } from "../../store/outgoing/drafts.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, TextField } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../../ui/load/attempt.tsx";
import { useQuery } from "../../ui/load/use-query.ts";

type SavedPromptsProps = {
  /** The key of the draft: a session's id, or `NEW_SESSION`. */
  draft: string;
  box: RefObject<HTMLTextAreaElement | null>;
};

/** Inserts a saved prompt into the draft, saves the draft as one, and deletes them. */
export function SavedPrompts({ draft, box }: SavedPromptsProps) {
  const [open, setOpen] = useState(false);
  const insert = (text: string) => {
    const before = draftOf(draft).body.get().text;
    setDraftText(draft, before.trim() === "" ? text : `${before.trimEnd()}\n\n${text}`);
    setOpen(false);
    box.current?.focus();
  };
  return (
    <>
      <Button look="quiet" label="Saved prompts" icon={<Bookmark size={15} />} onClick={() => setOpen(true)} />
      {open && (
        <PromptsDialog text={draftOf(draft).body.get().text.trim()} onInsert={insert} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

type PromptsDialogProps = { text: string; onInsert: (text: string) => void; onClose: () => void };

function PromptsDialog({ text, onInsert, onClose }: PromptsDialogProps) {
  const { value, error, reload } = useQuery("saved-prompts", async () => (await client.savedPrompts.list()).prompts);
  const remove = ({ name, text: old }: SavedPrompt) => {
    const undo = () => void client.savedPrompts.put(name, { text: old }).then(reload, toastError);
    client.savedPrompts.delete(name).then(() => {
      toast({ tone: "info", text: `Deleted ${name}.`, action: { label: "Undo", run: undo } });
      reload();
    }, toastError);
  };
  return (
    <Dialog title="Saved prompts" onClose={onClose}>
      {value?.length === 0 && (
        <p className="pb-3 text-soft">No saved prompts yet. Write a message, then save it here.</p>
      )}
      <ul aria-label="Saved prompts" className="flex max-h-80 flex-col gap-1 overflow-y-auto empty:hidden">
        {value?.map((prompt) => (
          <li key={prompt.name} className="flex items-center gap-1">
            <button
              type="button"
              onClick={() => onInsert(prompt.text)}
              className="min-w-0 grow rounded-md px-2 py-1.5 text-left hover:bg-hover pointer-coarse:min-h-11"
            >
              <span className="block font-medium">{prompt.name}</span>
              <span className="block truncate text-xs text-soft">{prompt.text}</span>
            </button>
            <Button
              look="quiet"
              label={`Delete ${prompt.name}`}
              icon={<Trash2 size={14} />}
              onClick={() => remove(prompt)}
            />
          </li>
        ))}
      </ul>
      <ErrorMessage problem={error} />
      {text !== "" && <SaveForm text={text} onSaved={reload} />}
    </Dialog>
  );
}

/** Saves the draft under a name. */
function SaveForm({ text, onSaved }: { text: string; onSaved: () => void }) {
  const [name, setName] = useState("");
  const { attempt, busy, problem } = useAttempt();
  const save = () =>
    attempt(async () => {
      await client.savedPrompts.put(name, { text });
      setName("");
      onSaved();
    });
  return (
    <div className="mt-3 border-t border-line pt-3">
      <Field
        name="Save the message as"
        about="Lower-case letters, digits and hyphens. A prompt with the same name is replaced."
      >
        <span className="flex gap-2">
          <TextField
            label="Name"
            value={name}
            onChange={(value) => setName(value.toLowerCase().replace(/[^a-z0-9-]+/g, "-"))}
          />
          <Button icon={<BookmarkPlus size={14} />} disabled={busy || name === ""} onClick={save}>
            Save
          </Button>
        </span>
      </Field>
      <ErrorMessage problem={problem} />
    </div>
  );
}
