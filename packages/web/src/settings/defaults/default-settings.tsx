import type { ChangeDefaults, Defaults, ResolvedDefaults } from "@gantry/protocol";
import { useState } from "react";
import { FolderPicker } from "../../composer/choices/folder-picker.tsx";
import { client } from "../../store/connection/client.ts";
import { lastPlace } from "../../store/outgoing/last-choices.ts";
import { useSessions } from "../../store/sessions/hooks.ts";
import { toastError } from "../../store/toasts.ts";
import { LoadError } from "../../ui/display/load-error.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { AgentDefaults } from "./agent-defaults.tsx";
import { DefaultsForm } from "./defaults-form.tsx";

/** The defaults of new sessions: those of the user, those of a project, and those of single agents. */
export function DefaultSettings() {
  const [chosen, setChosen] = useState<string>();
  const used = useSessions()[0]?.cwd;
  const cwd = chosen ?? lastPlace.get().cwd ?? used;
  const { value, error, reload } = useQuery(`defaults ${cwd}`, () => client.defaults.get(cwd ? { cwd } : {}));
  if (error !== undefined && !value) return <LoadError error={error} onRetry={reload} />;
  if (!value) return null;
  const change = async (changes: ChangeDefaults) => {
    try {
      await client.defaults.set(changes);
    } catch (failed) {
      toastError(failed);
    }
    reload();
  };
  return (
    <div className="flex flex-col gap-8">
      <p className="text-soft">
        New sessions use these unless you choose otherwise. The defaults of a project override yours.
      </p>
      <Scope title="Your defaults" defaults={value.user} onChange={(patch) => change({ scope: "user", ...patch })} />
      <section aria-label="Project">
        <h2 className="flex flex-wrap items-center gap-x-2 text-sm font-semibold">
          Defaults of the project
          <FolderPicker folder={cwd} onChoose={setChosen} />
        </h2>
        {cwd && (
          <>
            <ProjectNotes resolved={value} />
            <DefaultsForm
              scope="Project"
              defaults={value.project}
              onChange={(patch) => change({ scope: "project", cwd, ...patch })}
            />
          </>
        )}
      </section>
      <AgentDefaults cwd={cwd} user={value.user} project={value.project} onChange={change} />
    </div>
  );
}

type ScopeProps = {
  title: string;
  defaults: Defaults;
  onChange: (patch: Omit<ChangeDefaults, "scope" | "cwd">) => void;
};

function Scope({ title, defaults, onChange }: ScopeProps) {
  return (
    <section aria-label={title}>
      <h2 className="text-sm font-semibold">{title}</h2>
      <DefaultsForm scope="User" defaults={defaults} onChange={onChange} />
    </section>
  );
}

function ProjectNotes({ resolved: { projectFile, withheld } }: { resolved: ResolvedDefaults }) {
  return (
    <div className="text-xs text-faint">
      <p className="break-all">{projectFile ? `Stored in ${projectFile}` : "The project has no defaults yet."}</p>
      {withheld.map((text) => (
        <p key={text} className="text-need">
          {text}
        </p>
      ))}
    </div>
  );
}
