import type { SessionView } from "@gantry/protocol";
import { Pencil } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { client } from "../store/connection/client.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";

/** The title of a session, editable in place. */
export function SessionTitle({ session }: { session: SessionView }) {
  const [editing, setEditing] = useState(false);
  /** Shown until the event of the change arrives. */
  const [pending, setPending] = useState<string>();
  const rename = async (title: string) => {
    setEditing(false);
    if (title === "" || title === session.title) return;
    setPending(title);
    try {
      await client.sessions.patch(session.id, { title });
    } catch (error) {
      toastError(error);
    } finally {
      setPending(undefined);
    }
  };
  if (editing) return <TitleBox title={session.title} onDone={rename} onLeave={() => setEditing(false)} />;
  return (
    <div className="group flex min-w-0 items-center gap-1">
      <h1 className="truncate text-base font-semibold" onDoubleClick={() => setEditing(true)}>
        {pending ?? session.title}
      </h1>
      <Button
        look="quiet"
        label="Rename"
        icon={<Pencil size={12} />}
        className="!size-6 opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
        onClick={() => setEditing(true)}
      />
    </div>
  );
}

type TitleBoxProps = { title: string; onDone: (title: string) => void; onLeave: () => void };

function TitleBox({ title, onDone, onLeave }: TitleBoxProps) {
  const [value, setValue] = useState(title);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") onDone(value.trim());
    else if (event.key === "Escape") onLeave();
    else return;
    event.preventDefault();
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it replaces the control that was just activated.
      autoFocus
      aria-label="Title"
      maxLength={200}
      value={value}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setValue(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => onDone(value.trim())}
      className="min-w-0 grow rounded border border-line-strong bg-surface px-1.5 text-base font-semibold"
    />
  );
}
