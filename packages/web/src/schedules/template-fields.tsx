import type { ScheduledSession } from "@gantry/protocol";
import { ChoicePickers, type Chosen } from "../composer/choices/choice-pickers.tsx";
import { ExtraFolders } from "../composer/choices/extra-folders.tsx";
import { FolderPicker } from "../composer/choices/folder-picker.tsx";
import { agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { Field, TextArea, TextField } from "../ui/controls/field.tsx";
import { Select } from "../ui/controls/select.tsx";
import { useQuery } from "../ui/load/use-query.ts";

type TemplateFieldsProps = { create: ScheduledSession; onChange: (patch: Partial<ScheduledSession>) => void };

/** The session that each run creates: agent and its settings, folder or lane, further folders, title, instructions. */
export function TemplateFields({ create, onChange }: TemplateFieldsProps) {
  const rows = useCell(agents);
  const row = rows.find(({ id }) => id === create.agent);
  return (
    <>
      <Field name="Agent">
        <div className="-ml-1.5 flex flex-wrap items-center gap-1 text-soft">
          <ChoicePickers
            agent={{
              value: create.agent,
              onChoose: (agent, model) => onChange({ agent, model, effort: undefined, controls: undefined }),
            }}
            row={row}
            chosen={chosenOf(create)}
            free
            onChange={onChange}
          />
        </div>
      </Field>
      <Field name="Where">
        <div className="-ml-1.5 flex flex-wrap items-center gap-1 text-soft">
          <Place create={create} onChange={onChange} />
          <ExtraFolders folders={create.folders ?? []} onChange={(folders) => onChange({ folders })} />
        </div>
      </Field>
      <Field name="Title">
        <TextField
          label="Title"
          placeholder="From the message"
          maxLength={200}
          value={create.title ?? ""}
          onChange={(title) => onChange({ title })}
          className="w-full"
        />
      </Field>
      <Field name="Pinned instructions">
        <TextArea
          label="Pinned instructions"
          rows={2}
          placeholder="None"
          value={create.instructions ?? ""}
          onChange={(instructions) => onChange({ instructions })}
        />
      </Field>
    </>
  );
}

/** `null` is a default that was taken back: the agent decides. */
function chosenOf({ model, mode, effort, controls = {} }: ScheduledSession): Chosen {
  const set = Object.entries(controls).flatMap(([id, value]) => (value === null ? [] : [[id, value]]));
  return {
    mode: mode ?? "ask",
    model: model ?? undefined,
    effort: effort ?? undefined,
    controls: Object.fromEntries(set),
  };
}

/** A folder, or a lane of any repository. A lane that no longer exists stays listed. */
function Place({ create: { cwd, lane }, onChange }: TemplateFieldsProps) {
  const { value } = useQuery("schedule lanes", () => client.call("listLanes", { query: {} }));
  const lanes = (value?.lanes ?? []).filter(({ kind }) => kind !== "primary");
  const known = lane === undefined || lanes.some(({ id, name }) => id === lane || name === lane);
  const choices = [
    { value: "", label: "Folder" },
    ...lanes.map(({ id, name }) => ({ value: id, label: `Lane ${name}` })),
    ...(known ? [] : [{ value: lane, label: `Lane ${lane}` }]),
  ];
  const chosen = lanes.find(({ id, name }) => id === lane || name === lane)?.id ?? lane ?? "";
  return (
    <>
      {choices.length > 1 && (
        <Select
          label="Folder or lane"
          value={chosen}
          choices={choices}
          onChoose={(id) => onChange({ lane: id || undefined })}
        />
      )}
      {lane === undefined && <FolderPicker folder={cwd} onChoose={(folder) => onChange({ cwd: folder })} />}
    </>
  );
}
