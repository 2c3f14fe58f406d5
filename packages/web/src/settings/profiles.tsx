import type { ProfileRow } from "@gantry/protocol";
import { Plus, UserRoundCog } from "lucide-react";
import { useState } from "react";
import { scanAgents } from "../store/agents.ts";
import { client } from "../store/connection/client.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { ProfileDialog } from "./profile-dialog.tsx";
import { SettingRow } from "./setting-row.tsx";

/** The user's own agents: a built-in agent with other settings, or any program that supports ACP. */
export function Profiles() {
  const { value, error, reload } = useQuery("profiles", () => client.call("listProfiles"));
  const [open, setOpen] = useState<ProfileRow | "new">();
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (!value) return null;
  const reloadAgents = () => {
    reload();
    void scanAgents(true);
  };
  const remove = (id: string) => client.call("deleteProfile", { params: { id } }).then(reloadAgents, toastError);
  return (
    <>
      <div className="mb-2 flex items-center gap-3">
        <p className="grow text-soft">Profiles appear in the list of agents next to the built-in ones.</p>
        <Button icon={<Plus size={14} />} onClick={() => setOpen("new")}>
          Add a profile
        </Button>
      </div>
      {value.profiles.length === 0 && <Nothing />}
      {value.profiles.map((profile) => (
        <SettingRow key={profile.id} name={profile.id} about={<code className="font-mono">{profile.path}</code>}>
          {profile.problems.length > 0 && (
            <Badge tone="bad" title={profile.problems.map(({ message }) => message).join("\n")}>
              Line {profile.problems[0]?.line}: {profile.problems[0]?.message}
            </Badge>
          )}
          <Button aria-label={`Edit ${profile.id}`} onClick={() => setOpen(profile)}>
            Edit
          </Button>
          <Button aria-label={`Remove ${profile.id}`} onClick={() => void remove(profile.id)}>
            Remove
          </Button>
        </SettingRow>
      ))}
      {open && (
        <ProfileDialog
          profile={open === "new" ? undefined : open}
          onClose={() => setOpen(undefined)}
          onSaved={reloadAgents}
        />
      )}
    </>
  );
}

function Nothing() {
  return (
    <Empty title="No profiles yet" icon={<UserRoundCog size={28} strokeWidth={1.5} />}>
      <p>
        Add the same agent with another binary, other arguments or another account, or any agent that supports the Agent
        Client Protocol.
      </p>
    </Empty>
  );
}
