import { Minus, Plus } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import type { Place } from "../rows.ts";

type CommentFormProps = {
  session: string;
  place: Place;
  /** The commits whose diff is shown. */
  between: { from: string; to: string };
  onPlace: (place: Place | undefined) => void;
};

/** A new comment on a line or a range. */
export function CommentForm({ session, place, between, onPlace }: CommentFormProps) {
  const { path, side, line, endLine = line } = place;
  const where = endLine > line ? `Lines ${line}–${endLine}` : `Line ${line}`;
  const resize = (last: number) => onPlace({ path, side, line, ...(last > line ? { endLine: last } : {}) });
  const submit = (text: string) =>
    client.comments.add(session, { ...place, text, ...between }).then(() => onPlace(undefined), toastError);
  return (
    <div className="border-y border-line bg-page p-2">
      <div className="mb-1 flex items-center gap-1 font-sans text-xs text-soft">
        <span className="grow">
          {where}
          {side === "old" && " before the changes"}
        </span>
        <Button
          look="quiet"
          label="One line less"
          icon={<Minus size={13} />}
          disabled={endLine === line}
          onClick={() => resize(endLine - 1)}
        />
        <Button look="quiet" label="One line more" icon={<Plus size={13} />} onClick={() => resize(endLine + 1)} />
      </div>
      <CommentText
        label={`Comment on ${path}, ${where.toLowerCase()}`}
        action="Comment"
        onSubmit={submit}
        onCancel={() => onPlace(undefined)}
      />
    </div>
  );
}

type CommentTextProps = {
  label: string;
  initial?: string;
  action: string;
  onSubmit: (text: string) => Promise<unknown>;
  onCancel: () => void;
};

/** The text of a comment. Ctrl+Enter submits it, Escape cancels. */
export function CommentText({ label, initial = "", action, onSubmit, onCancel }: CommentTextProps) {
  const [text, setText] = useState(initial);
  const [busy, setBusy] = useState(false);
  const canSubmit = text.trim() !== "" && !busy;
  const submit = () => {
    setBusy(true);
    void onSubmit(text.trim()).finally(() => setBusy(false));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && canSubmit) submit();
    else if (event.key === "Escape") onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the user asked for this form.
        autoFocus
        aria-label={label}
        value={text}
        rows={3}
        maxLength={4000}
        placeholder="What should change here?"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="w-full resize-y rounded-md border border-line bg-surface px-2 py-1.5 font-sans text-sm"
      />
      <div className="mt-1 flex justify-end gap-2">
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="primary" disabled={!canSubmit} onClick={submit}>
          {action}
        </Button>
      </div>
    </>
  );
}
