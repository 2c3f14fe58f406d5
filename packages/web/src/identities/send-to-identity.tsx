import { ArrowUp } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { client } from "../store/connection/client.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { TextField } from "../ui/controls/field.tsx";

/** Sends a message to an identity. The first message starts its session. */
export function SendToIdentity({ name, onSent }: { name: string; onSent: () => void }) {
  const [text, setText] = useState("");
  const [, go] = useLocation();
  const send = async () => {
    if (text.trim() === "") return;
    try {
      const { session } = await client.identities.send(name, { text });
      storeSession(session);
      onSent();
      go(`/s/${session.id}`);
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <form
      className="mt-2 flex gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextField
        label={`Message ${name}`}
        placeholder={`Message ${name}`}
        value={text}
        onChange={setText}
        className="grow"
      />
      <Button type="submit" label={`Send to ${name}`} icon={<ArrowUp size={14} />} disabled={text.trim() === ""} />
    </form>
  );
}
