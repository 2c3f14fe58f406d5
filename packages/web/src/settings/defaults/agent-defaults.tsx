import type { AgentRow, ChangeDefaults, Control, Defaults, ResolvedDefaults } from "@gantry/protocol";
import { useId, useState } from "react";
import { modeChoices, modeNames } from "../../composer/choices/choices.ts";
import { agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Select } from "../../ui/controls/select.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { Picker } from "../../ui/picker/picker.tsx";
import { agentsWithDefaults, removalOf, sourceText } from "./agent-sources.ts";
import { AgentSettings, Choice, unsetText } from "./defaults-form.tsx";

type Scope = ChangeDefaults["scope"];

type AgentDefaultsProps = {
  /** A folder of the project, if there is one. */
  cwd: string | undefined;
  user: Defaults;
  project: Defaults;
  /** Saves, then reloads the defaults. Never throws. */
  onChange: (changes: ChangeDefaults) => Promise<void>;
};

/** The defaults of a single agent, of the user or of the project, with what applies now and where it comes from. */
export function AgentDefaults({ cwd, user, project, onChange }: AgentDefaultsProps) {
  const heading = useId();
  const rows = useCell(agents);
  const [chosen, setChosen] = useState<string>();
  const [scope, setScope] = useState<Scope>("user");
  const withOwn = agentsWithDefaults(user, project);
  const ready = rows.find(({ state }) => state === "ready") ?? rows[0];
  const id = chosen ?? withOwn[0] ?? project.agent ?? user.agent ?? ready?.id;
  if (!id) return null;
  const row = rows.find((known) => known.id === id);
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="text-sm font-semibold">
        Defaults of a single agent
      </h2>
      <p className="text-xs text-faint">They override the general defaults.</p>
      <div className="-ml-1.5 flex flex-wrap items-center gap-1 py-2">
        <Picker
          steps={[{ label: "Defaults of agent", value: id, options: choicesOf(rows, withOwn), onChoose: setChosen }]}
        />
        <Select
          label="Stored for"
          value={scope}
          choices={[
            { value: "user", label: "For all projects" },
            { value: "project", label: "For this project", disabled: cwd === undefined },
          ]}
          onChoose={(place) => setScope(place as Scope)}
        />
      </div>
      <OneAgent
        key={`${id} ${scope}`}
        {...{ id, row, scope, cwd, user, project }}
        onChange={(changes) => {
          // Without it, the first change could move the choice to another agent.
          setChosen(id);
          return onChange(changes);
        }}
      />
    </section>
  );
}

/** All agents, also missing ones, because a default can be set before an agent is installed. */
function choicesOf(rows: readonly AgentRow[], withOwn: readonly string[]) {
  const unknown = withOwn.filter((id) => !rows.some((row) => row.id === id));
  return [
    ...rows.map(({ id, name }) => ({
      value: id,
      label: name,
      hint: withOwn.includes(id) ? "has defaults" : undefined,
    })),
    ...unknown.map((id) => ({ value: id, label: id, hint: "has defaults" })),
  ];
}

type OneAgentProps = AgentDefaultsProps & { id: string; row: AgentRow | undefined; scope: Scope };

function OneAgent({ id, row, scope, cwd, user, project, onChange }: OneAgentProps) {
  const own = (scope === "user" ? user : project).agents?.[id] ?? {};
  const query = { agent: id, ...(cwd ? { cwd } : {}) };
  // Loads again when either file has changed.
  const key = JSON.stringify([query, user, project]);
  const { value, error, reload } = useQuery(key, () => client.defaults.get(query));
  if (error !== undefined && !value) return <LoadError error={error} onRetry={reload} />;
  if (!value) return null;
  const change = (patch: Omit<ChangeDefaults, "scope" | "cwd" | "for">) =>
    void onChange({ scope, for: id, ...(cwd ? { cwd } : {}), ...patch });
  const name = scope === "user" ? "Agent" : "Agent in project";
  const removal = removalOf(own);
  const about = (setting: keyof ResolvedDefaults["sources"], control?: Control) =>
    `In use: ${inUse(value, row, setting, control)} (${sourceText(value, id, setting, control?.id)})`;
  return (
    <>
      <Choice
        name="Mode"
        scope={name}
        about={about("mode")}
        unset="Not set"
        value={own.mode}
        choices={modeChoices(row, value.mode)}
        onChoose={(mode) => change({ mode: mode as ChangeDefaults["mode"] })}
      />
      {row && (
        <AgentSettings
          scope={name}
          row={row}
          mode={value.mode}
          inheritedModel={value.model}
          defaults={own}
          about={about}
          onChange={change}
        />
      )}
      <div className="flex justify-end pt-2">
        <Button disabled={!removal} onClick={() => removal && change(removal)}>
          Remove this agent's defaults
        </Button>
      </div>
    </>
  );
}

/** The value that a new session with the agent gets. */
function inUse(
  { mode, model, effort, controls }: ResolvedDefaults,
  row: AgentRow | undefined,
  setting: keyof ResolvedDefaults["sources"],
  control?: Control,
): string {
  if (setting === "mode") return modeNames[mode];
  const standard = row?.models.items.find((item) => item.default);
  if (setting === "model") {
    const named = row?.models.items.find(({ id }) => id === model) ?? (model ? undefined : standard);
    return named?.name ?? model ?? "default model";
  }
  if (!control) return effort ?? "default effort";
  const set = controls?.[control.id];
  return set ? (control.choices.find(({ id }) => id === set)?.label ?? set) : unsetText(control, mode);
}
