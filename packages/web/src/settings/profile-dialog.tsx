import { GantryError, Mistake, type ProfileRow } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../store/connection/client.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field, TextArea, TextField } from "../ui/controls/field.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";

const template = (id: string) => `id: ${id}
name: My agent
extends: acp
command: [my-agent, --acp]
env:
  LOG_LEVEL: warn
`;

type ProfileDialogProps = { profile?: ProfileRow; onClose: () => void; onSaved: () => void };

/** Creates or edits the file of a profile. A file with mistakes is refused with their lines, and nothing is changed. */
export function ProfileDialog({ profile, onClose, onSaved }: ProfileDialogProps) {
  const [id, setId] = useState(profile?.id ?? "my-agent");
  const [edited, setText] = useState(profile?.text);
  const [mistakes, setMistakes] = useState<readonly Mistake[]>(profile?.problems ?? []);
  const [problem, setProblem] = useState<string>();
  const text = edited ?? template(id);
  const save = async () => {
    try {
      await client.call("putProfile", { params: { id }, body: { text } });
      onSaved();
      onClose();
    } catch (error) {
      const found = error instanceof GantryError ? mistakesIn(error.details) : [];
      setMistakes(found);
      setProblem(found.length > 0 ? undefined : error instanceof Error ? error.message : String(error));
    }
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="primary" onClick={() => void save()}>
        Save
      </Button>
    </>
  );
  return (
    <Dialog title={profile ? `Profile ${profile.id}` : "Add a profile"} onClose={onClose} footer={footer}>
      <div className="flex flex-col gap-3">
        {!profile && (
          <Field name="ID">
            <TextField label="ID" value={id} onChange={setId} className="w-full font-mono" />
          </Field>
        )}
        <Field
          name="File"
          about="“extends” is an agent's ID, or “acp” for any program that supports the Agent Client Protocol."
        >
          <TextArea label="File" rows={12} spellCheck={false} value={text} onChange={setText} className="font-mono" />
        </Field>
        <div role="alert">
          {mistakes.map(({ line, message }) => (
            <p key={`${line} ${message}`} className="text-bad">
              Line {line}: {message}
            </p>
          ))}
          {problem && <p className="text-bad">{problem}</p>}
        </div>
      </div>
    </Dialog>
  );
}

/** The mistakes, with their lines, in the details of an API error. */
function mistakesIn(details: unknown): Mistake[] {
  return Mistake.array().safeParse(details).data ?? [];
}
