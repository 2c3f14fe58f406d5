import type { Identity, Mode, PutIdentity } from "@gantry/protocol";
import { useState } from "react";
import { ChoicePickers } from "../composer/choices/choice-pickers.tsx";
import { FolderPicker } from "../composer/choices/folder-picker.tsx";
import { agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { toast } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field, TextArea, TextField } from "../ui/controls/field.tsx";
import { Select } from "../ui/controls/select.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";
import { useQuery } from "../ui/load/use-query.ts";

type IdentityDialogProps = { name?: string; onClose: () => void; onSaved: () => void };

/** Creates or edits an identity. */
export function IdentityDialog({ name, onClose, onSaved }: IdentityDialogProps) {
  const { value, error, reload } = useQuery(name ?? "new", async () => (name ? client.identities.get(name) : "new"));
  if (error !== undefined)
    return (
      <Dialog title="Identity" onClose={onClose}>
        <LoadError error={error} onRetry={reload} />
      </Dialog>
    );
  if (!value) return null;
  return <IdentityForm identity={value === "new" ? undefined : value} onClose={onClose} onSaved={onSaved} />;
}

type Draft = Required<Pick<PutIdentity, "persona">> & Omit<PutIdentity, "memory" | "persona"> & { name: string };

function draftOf(identity: Identity | undefined, agent: string): Draft {
  if (!identity) return { name: "", agent, role: "worker", mode: "ask", persona: "" };
  const { name, title, description, role, agent: own, model, mode, effort, controls, cwd, persona } = identity;
  return { name, title, description, role, agent: own, model, mode, effort, controls, cwd, persona };
}

function IdentityForm({ identity, onClose, onSaved }: { identity?: Identity } & Omit<IdentityDialogProps, "name">) {
  const first = useCell(agents).find((row) => row.state === "ready")?.id ?? "";
  const [changes, setChanges] = useState<Partial<Draft>>({});
  // The list of agents may arrive after the dialog was opened.
  const draft = { ...draftOf(identity, first), ...changes };
  const { save, remove, busy, problem } = useIdentityActions(draft, () => {
    onSaved();
    onClose();
  });
  return (
    <Dialog
      title={identity ? `Identity ${identity.name}` : "New identity"}
      wide
      onClose={onClose}
      footer={
        <>
          {identity && (
            <Button look="quiet" className="mr-auto text-bad" disabled={busy} onClick={remove}>
              Remove identity
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" disabled={busy || draft.name === "" || draft.agent === ""} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <IdentityFields
          draft={draft}
          isNew={!identity}
          onChange={(patch) => setChanges((now) => ({ ...now, ...patch }))}
        />
        {identity && <Memory identity={identity} />}
      </div>
      <ErrorMessage problem={problem} />
    </Dialog>
  );
}

/** Saves and removes the identity. `onDone` is called after either succeeded. */
function useIdentityActions({ name, ...body }: Draft, onDone: () => void) {
  const { attempt, busy, problem } = useAttempt();
  const save = () =>
    attempt(async () => {
      await client.identities.put(name, body);
      onDone();
    });
  const remove = () =>
    attempt(async () => {
      const { kept: archive } = await client.identities.delete(name); // prose-ignore: field of the API
      toast({
        tone: "info",
        text: `Removed ${name}.`,
        remedy: archive && `Its persona and memory are archived in ${archive}.`,
      });
      onDone();
    });
  return { save, remove, busy, problem };
}

type FieldsProps = { draft: Draft; isNew: boolean; onChange: (patch: Partial<Draft>) => void };

function IdentityFields({ draft, isNew, onChange }: FieldsProps) {
  return (
    <>
      {isNew && (
        <Field name="Name" about="Lower-case letters, digits and dashes. Also used for its folder.">
          <TextField
            label="Name"
            value={draft.name}
            onChange={(name) => onChange({ name })}
            autoFocus
            className="w-60 font-mono"
          />
        </Field>
      )}
      <AgentFields draft={draft} onChange={onChange} />
      <Field name="Description">
        <TextField
          label="Description"
          value={draft.description ?? ""}
          onChange={(description) => onChange({ description: description || undefined })}
          className="w-full"
        />
      </Field>
      <Field name="Persona" about="Sent at the start, and again after a compaction or a handoff.">
        <TextArea
          label="Persona"
          rows={8}
          value={draft.persona}
          onChange={(persona) => onChange({ persona })}
          className="font-mono text-xs leading-5"
        />
      </Field>
    </>
  );
}

function AgentFields({ draft, onChange }: Omit<FieldsProps, "isNew">) {
  const rows = useCell(agents);
  return (
    <div className="flex flex-wrap items-center gap-1 text-soft">
      <Select
        label="Role"
        value={draft.role ?? "worker"}
        choices={[
          { value: "lead", label: "Lead" },
          { value: "worker", label: "Worker" },
        ]}
        onChoose={(role) => onChange({ role: role as Draft["role"] })}
      />
      <ChoicePickers
        agent={{
          value: draft.agent,
          onChoose: (agent, model) => onChange({ agent, model, effort: undefined, controls: undefined }),
        }}
        row={rows.find((row) => row.id === draft.agent)}
        chosen={{ model: draft.model, effort: draft.effort, mode: draft.mode as Mode, controls: draft.controls }}
        free
        onChange={onChange}
      />
      <FolderPicker folder={draft.cwd} onChoose={(cwd) => onChange({ cwd })} />
    </div>
  );
}

function Memory({ identity: { memory, folder } }: { identity: Identity }) {
  return (
    <section aria-label="Memory">
      <h3 className="text-xs font-medium text-soft">
        Memory <code className="font-mono text-faint">{folder}/memory</code>
      </h3>
      {memory.length === 0 && <p className="text-faint">No memories yet.</p>}
      {memory.map(({ name, text, whole }) => (
        <details key={name} className="mt-1 rounded-md border border-line">
          <summary className="cursor-pointer px-2.5 py-1 font-mono text-xs">
            {name}
            {!whole && <span className="font-sans text-need"> · only the first part is sent</span>}
          </summary>
          <pre className="max-h-64 overflow-auto border-t border-line px-2.5 py-1.5 text-xs whitespace-pre-wrap">
            {text}
          </pre>
        </details>
      ))}
    </section>
  );
}
