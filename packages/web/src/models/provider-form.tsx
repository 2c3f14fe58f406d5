import type { AddProvider, ProviderList, ProviderTest } from "@gantry/protocol";
import { type FormEvent, useState } from "react";
import { client } from "../store/connection/client.ts";
import { Button } from "../ui/controls/button.tsx";
import { Checkbox } from "../ui/controls/checkbox.tsx";
import { Field, TextField } from "../ui/controls/field.tsx";
import { formatDuration } from "../ui/display/format.ts";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { Picker } from "../ui/picker/picker.tsx";

type Draft = { name: string; isServer: boolean; baseUrl: string; models: string; noKey: boolean; key: string };

const empty: Draft = { name: "", isServer: false, baseUrl: "", models: "", noKey: false, key: "" };
/** The value of the entry for a server that the catalogue does not have. No provider has this name. */
const SERVER = "+server";

type ProviderFormProps = {
  /** Called after the provider was stored and tested. */
  onDone: (provider: string, test: ProviderTest | undefined) => void;
  /** The provider whose key is to be entered. */
  provider?: string;
};

/** Stores the key of a model provider, or adds a server, and tests it with one short request. */
export function ProviderForm({ onDone, provider }: ProviderFormProps) {
  const [draft, setDraft] = useState<Draft>({ ...empty, name: provider ?? "" });
  const change = (patch: Partial<Draft>) => setDraft((now) => ({ ...now, ...patch }));
  const { value: list } = useQuery("providers", () => client.models.providers());
  const { attempt, busy, problem } = useAttempt();
  const isComplete =
    draft.name !== "" && (draft.noKey || draft.key.trim() !== "") && (!draft.isServer || draft.baseUrl);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isComplete || busy) return;
    attempt(async () => {
      const added = await client.models.addProvider(requestOf(draft));
      change({ key: "" });
      onDone(added.provider, added.ready ? await client.models.testProvider(added.provider) : undefined);
    });
  };
  return (
    <form aria-label="Add a provider" onSubmit={save} className="flex flex-col gap-3">
      <Field name="Provider">
        <Picker
          className="-ml-1.5"
          steps={[
            {
              label: "Provider",
              value: draft.isServer ? SERVER : draft.name,
              options: optionsOf(list),
              onChoose: (name) => change(name === SERVER ? { isServer: true, name: "" } : { isServer: false, name }),
            },
          ]}
        />
      </Field>
      {draft.isServer && <ServerFields draft={draft} onChange={change} />}
      {!draft.noKey && (
        <Field
          name="API key"
          about="Stored in Gantry's credential store on the daemon's machine, never in a file of the configuration."
        >
          <TextField
            label="API key"
            type="password"
            autoComplete="off"
            value={draft.key}
            onChange={(key) => change({ key })}
            className="w-full font-mono"
          />
        </Field>
      )}
      <div>
        <Button type="submit" look="primary" disabled={!isComplete || busy}>
          {busy ? "Testing…" : "Save and test"}
        </Button>
        <span className="pl-2 text-xs text-faint">The test costs one short response.</span>
      </div>
      <ErrorMessage problem={problem} />
    </form>
  );
}

type FieldsProps = { draft: Draft; onChange: (patch: Partial<Draft>) => void };

function ServerFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <Field name="Name">
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => onChange({ name: name.trim() })}
          className="w-60"
        />
      </Field>
      <Field name="URL" about="A server with the OpenAI chat format.">
        <TextField
          label="URL"
          inputMode="url"
          placeholder="http://127.0.0.1:8000/v1"
          value={draft.baseUrl}
          onChange={(baseUrl) => onChange({ baseUrl: baseUrl.trim() })}
          className="w-full font-mono"
        />
      </Field>
      <Field name="Models" about="Separated by commas. Empty: the server is asked for its list.">
        <TextField label="Models" value={draft.models} onChange={(models) => onChange({ models })} className="w-full" />
      </Field>
      <Checkbox checked={draft.noKey} onChange={(noKey) => onChange({ noKey })}>
        The server needs no key
      </Checkbox>
    </>
  );
}

/** The outcome of a test as one sentence. */
export function testText(test: ProviderTest): string {
  if (!test.ok) return test.message ?? "No answer.";
  return `${test.model ?? "The provider"} answered in ${formatDuration(test.ms ?? 0)}.`;
}

function optionsOf(list: ProviderList | undefined) {
  const known = (list?.known ?? []).map(({ name, models }) => {
    const text = `${models} ${models === 1 ? "model" : "models"}`;
    return { value: name, label: name, ...(models > 0 ? { facts: { short: text, full: text } } : {}) };
  });
  return [
    { value: "", label: list ? "Choose a provider" : "Loading…", disabled: true },
    { value: SERVER, label: "Another server…", about: "By its URL: a local model, a proxy, a gateway" },
    ...known,
  ];
}

function requestOf({ name, isServer, baseUrl, models, noKey, key }: Draft): AddProvider {
  const ids = models
    .split(",")
    .map((id) => id.trim())
    .filter(Boolean);
  return {
    name,
    ...(isServer ? { baseUrl } : {}),
    ...(isServer && ids.length > 0 ? { models: ids } : {}),
    ...(isServer && noKey ? { noKey } : { key: key.trim() }),
  };
}
