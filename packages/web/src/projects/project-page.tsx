import { type ChangeProject, type ProjectDetails, projectColors } from "@gantry/protocol";
import { LayoutGrid, Plus, X } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { DefaultsForm } from "../settings/defaults/defaults-form.tsx";
import { SettingRow } from "../settings/setting-row.tsx";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { formChoices } from "../store/outgoing/last-choices.ts";
import { changeProject, loadProjects, shownProject } from "../store/projects.ts";
import { useSession } from "../store/sessions/hooks.ts";
import { sessionsLoaded } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { TrustBanner } from "../trust/trust-banner.tsx";
import { Button } from "../ui/controls/button.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { View } from "../ui/layout/view.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { Picker } from "../ui/picker/picker.tsx";
import { PathText } from "../ui/text/path-text.tsx";
import { ProjectDot } from "./project-dot.tsx";
import { PinButton } from "./project-list.tsx";
import { SavedText } from "./saved-text.tsx";

type Change = (body: ChangeProject) => Promise<void>;

/** The settings of a project. Each is saved when it is changed. */
export default function ProjectPage({ id }: { id: string }) {
  const { value: project, error, reload } = useQuery(`project ${id}`, () => client.projects.get(id));
  const change: Change = async (body) => {
    await changeProject(id, body);
    reload();
  };
  if (error !== undefined && !project)
    return (
      <View title="Project">
        <LoadError error={error} onRetry={reload} />
      </View>
    );
  if (!project) return <View title="Project">{null}</View>;
  return (
    <View title={project.name} actions={<Actions project={project} onChange={reload} />}>
      <div className="flex flex-col gap-8">
        <Appearance project={project} onChange={change} />
        <Defaults project={project} onChange={change} />
        {project.repository && <Commands project={project} onChange={change} onTrusted={reload} />}
        <Pins project={project} onChange={change} />
        <Removal project={project} />
      </div>
    </View>
  );
}

type PartProps = { project: ProjectDetails; onChange: Change };

function Actions({ project, onChange }: { project: ProjectDetails; onChange: () => void }) {
  const [, go] = useLocation();
  const start = () => {
    shownProject.set(project.id);
    formChoices.set({ cwd: project.root });
    go("/new");
  };
  return (
    <>
      <PinButton project={project} onChanged={onChange} />
      <Button icon={<LayoutGrid size={14} />} onClick={() => go(`/p/${project.id}`)}>
        Board
      </Button>
      <Button icon={<Plus size={14} />} onClick={start}>
        New session
      </Button>
    </>
  );
}

function Appearance({ project: { name, color, root }, onChange }: PartProps) {
  const isOwnName = name !== root.split("/").at(-1);
  return (
    <section aria-label="Name and colour">
      <SettingRow name="Folder">
        <PathText path={root} className="min-w-0 font-mono text-xs break-all" />
      </SettingRow>
      <SettingRow name="Name">
        <SavedText
          label="Project name"
          value={name}
          onSave={(text) => onChange({ name: text })}
          className="w-60 min-w-0"
        />
        {isOwnName && (
          <Button look="quiet" title="Use the name of the folder" onClick={() => void onChange({ name: null })}>
            Reset
          </Button>
        )}
      </SettingRow>
      <SettingRow name="Colour">
        <ProjectDot color={color} />
        <Picker
          steps={[
            {
              label: "Colour",
              value: color,
              options: projectColors.map((one) => ({ value: one, label: one.charAt(0).toUpperCase() + one.slice(1) })),
              onChoose: (chosen) => void onChange({ color: projectColors.find((one) => one === chosen) ?? null }),
            },
          ]}
        />
      </SettingRow>
    </section>
  );
}

function Defaults({ project: { defaults, file, withheld }, onChange }: PartProps) {
  return (
    <section aria-label="Defaults of new sessions">
      <h2 className="text-sm font-semibold">Defaults of new sessions</h2>
      <p className="text-xs break-all text-faint">
        {file ? `Stored in ${file}.` : "Stored in .gantry/project.yml of the folder."} They come before your own{" "}
        <Link href="/settings?tab=defaults" className="text-accent underline">
          defaults
        </Link>
        .
      </p>
      {withheld.map((text) => (
        <p key={text} className="text-xs text-need">
          {text}
        </p>
      ))}
      <DefaultsForm
        scope="Project"
        defaults={defaults}
        onChange={({ for: _, titles: __, ...patch }) => void onChange(patch)}
      />
    </section>
  );
}

function Commands({ project, onChange, onTrusted }: PartProps & { onTrusted: () => void }) {
  const { root, setup, check } = project;
  const isUntrusted = [setup, check].some((command) => command && !command.trusted);
  const about = (text: string, command: ProjectDetails["setup"]) =>
    command && !command.trusted ? `${text} Not trusted: it does not run.` : text;
  return (
    <section aria-label="Commands">
      <h2 className="text-sm font-semibold">Commands</h2>
      <p className="text-xs text-faint">Stored in .gantry/lane.yml of the folder. What you write here is trusted.</p>
      {isUntrusted && <TrustBanner folder={root} of="lane" onTrusted={onTrusted} />}
      <SettingRow name="Set-up" about={about("Prepares a new worktree, for example npm ci.", setup)}>
        <SavedText
          label="Set-up command"
          placeholder="None"
          value={setup?.command ?? ""}
          onSave={(text) => onChange({ setup: text || null })}
          className="w-80 max-w-full font-mono text-xs"
        />
      </SettingRow>
      <SettingRow name="Check" about={about("Verifies a worktree, for example npm test.", check)}>
        <SavedText
          label="Check command"
          placeholder="None"
          value={check?.command ?? ""}
          onSave={(text) => onChange({ check: text || null })}
          className="w-80 max-w-full font-mono text-xs"
        />
      </SettingRow>
    </section>
  );
}

function Pins({ project: { pins }, onChange }: PartProps) {
  return (
    <section aria-label="Pinned sessions">
      <h2 className="text-sm font-semibold">Pinned sessions</h2>
      {pins.length === 0 ? (
        <p className="text-xs text-faint">None. Pin a session from its menu on the board or in the sidebar.</p>
      ) : (
        <ul className="pt-1">
          {pins.map((pin) => (
            <PinRow key={pin} id={pin} onUnpin={() => void onChange({ unpin: [pin] })} />
          ))}
        </ul>
      )}
    </section>
  );
}

function PinRow({ id, onUnpin }: { id: string; onUnpin: () => void }) {
  const session = useSession(id);
  const isLoaded = useCell(sessionsLoaded);
  const title = session?.title ?? (isLoaded ? "An older session" : "…");
  return (
    <li className="flex items-center gap-2">
      <SessionLink id={id} className="min-w-0 grow truncate hover:underline">
        {title}
      </SessionLink>
      <Button look="quiet" label={`Unpin ${title}`} icon={<X size={14} />} onClick={onUnpin} />
    </li>
  );
}

function Removal({ project: { id } }: { project: ProjectDetails }) {
  const [, go] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await client.projects.remove(id);
      await loadProjects();
      go("/projects");
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };
  return (
    <SettingRow
      name="Remove"
      about="Removes name, colour and pins. Files and sessions stay; a repository with sessions stays in the list."
    >
      <Button disabled={isBusy} onClick={() => void remove()}>
        Remove project
      </Button>
    </SettingRow>
  );
}
