import { GantryError, KitName } from "@gantry/protocol";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, TextArea, TextField } from "../../ui/controls/field.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { parseServer, type ServerForm } from "./parse-server.ts";

const EMPTY: ServerForm = { name: "", where: "", more: "", agents: "" };

type ServerDialogProps = { onClose: () => void; onSaved: () => void };

/** Adds a server. If the daemon refuses it, the form stays open with the reason. */
export function ServerDialog({ onClose, onSaved }: ServerDialogProps) {
  const [form, setForm] = useState(EMPTY);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    const name = KitName.safeParse(form.name);
    if (!name.success) return setProblem(`The name ${name.error.issues[0]?.message}.`);
    const read = parseServer(form);
    if ("problem" in read) return setProblem(read.problem);
    try {
      await client.servers.put(name.data, read.settings);
      onSaved();
      onClose();
    } catch (error) {
      setProblem(error instanceof GantryError ? `${error.message} ${error.remedy ?? ""}` : String(error));
    }
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="primary" onClick={() => void save()}>
        Add
      </Button>
    </>
  );
  return (
    <Dialog title="Add an MCP server" onClose={onClose} footer={footer}>
      <div className="flex flex-col gap-3">
        <ServerFields form={form} onChange={(patch) => setForm((now) => ({ ...now, ...patch }))} />
        {problem && (
          <p role="alert" className="text-bad">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function ServerFields({ form, onChange }: { form: ServerForm; onChange: (patch: Partial<ServerForm>) => void }) {
  const set = (key: keyof ServerForm) => (value: string) => onChange({ [key]: value });
  return (
    <>
      <Field name="Name">
        <TextField label="Name" value={form.name} onChange={set("name")} placeholder="files" className="w-full" />
      </Field>
      <Field name="Command or address">
        <TextField
          label="Command or address"
          value={form.where}
          onChange={set("where")}
          placeholder="npx -y some-server /path   or   https://host/mcp"
          className="w-full font-mono"
        />
      </Field>
      <Field
        name="Variables or headers"
        about="One per line, NAME=value. ${NAME} is replaced by the daemon's environment variable."
      >
        <TextArea
          label="Variables or headers"
          rows={3}
          value={form.more}
          onChange={set("more")}
          className="font-mono"
        />
      </Field>
      <Field name="Only for these agents" about="Agent IDs separated by commas. Leave empty for all agents.">
        <TextField label="Only for these agents" value={form.agents} onChange={set("agents")} className="w-full" />
      </Field>
    </>
  );
}
