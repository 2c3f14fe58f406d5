import type { Comment } from "@gantry/protocol";
import { Check, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { classes } from "../../ui/classes.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { CommentText } from "./comment-form.tsx";

const STATES = { open: "Open", sent: "Sent", resolved: "Resolved" } as const;
const TITLES = {
  open: "It goes to the agent with your next message.",
  sent: "The agent got it. It resolves when these lines change.",
  resolved: "Its lines changed, or you resolved it.",
} as const;

/** One comment with its state and actions. */
export function CommentCard({ session, comment }: { session: string; comment: Comment }) {
  const { comment: id, path, line, endLine, state, text, outdated } = comment;
  const [editing, setEditing] = useState(false);
  const change = (body: { state?: "open" | "resolved"; text?: string }) =>
    client.comments.edit(session, id, body).then(() => setEditing(false), toastError);
  const lines = endLine === undefined ? `line ${line}` : `lines ${line}–${endLine}`;
  if (editing)
    return (
      <div className="border-y border-line bg-page p-2">
        <CommentText
          label={`Edit the comment on ${path}, ${lines}`}
          initial={text}
          action="Save"
          onSubmit={(next) => change({ text: next })}
          onCancel={() => setEditing(false)}
        />
      </div>
    );
  return (
    <article
      aria-label={`Comment on ${path}, ${lines}`}
      className={classes(
        "border-y border-line bg-page px-3 py-2 font-sans text-sm",
        state === "resolved" && "text-faint",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-2">
        <Badge title={TITLES[state]}>{STATES[state]}</Badge>
        {outdated && <Badge title="Its lines changed before it was sent.">Outdated</Badge>}
        <span className="min-w-0 grow truncate text-xs text-faint">
          {path}, {lines}
        </span>
        <CommentActions session={session} comment={comment} onEdit={() => setEditing(true)} onChange={change} />
      </div>
      <p className="mt-1 wrap-anywhere whitespace-pre-wrap" dir="auto">
        {text}
      </p>
    </article>
  );
}

type CommentActionsProps = {
  session: string;
  comment: Comment;
  onEdit: () => void;
  onChange: (body: { state: "open" | "resolved" }) => void;
};

function CommentActions({ session, comment: { comment, state }, onEdit, onChange }: CommentActionsProps) {
  const remove = () => void client.comments.remove(session, comment).catch(toastError);
  return (
    <span className="flex shrink-0">
      {state !== "resolved" && (
        <>
          <Button look="quiet" label="Edit comment" icon={<Pencil size={13} />} onClick={onEdit} />
          <Button
            look="quiet"
            label="Resolve comment"
            icon={<Check size={14} />}
            onClick={() => onChange({ state: "resolved" })}
          />
        </>
      )}
      {state !== "open" && (
        <Button
          look="quiet"
          label="Open comment again"
          icon={<RotateCcw size={13} />}
          onClick={() => onChange({ state: "open" })}
        />
      )}
      <Button look="quiet" label="Delete comment" icon={<Trash2 size={13} />} onClick={remove} />
    </span>
  );
}
