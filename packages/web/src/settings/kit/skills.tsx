import type { SkillRow } from "@gantry/protocol";
import { BookOpen } from "lucide-react";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { TextField } from "../../ui/controls/field.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { Empty } from "../../ui/display/empty.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { SettingRow } from "../setting-row.tsx";
import { ProblemList } from "./problem-list.tsx";

/** Skills that Gantry passes to every agent. */
export function Skills() {
  const { value, error, reload } = useQuery("skills", client.skills.list);
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (!value) return null;
  return (
    <>
      <LinkSkill onLinked={reload} />
      <ProblemList problems={value.problems} />
      {value.skills.length === 0 && (
        <Empty title="No skills yet" icon={<BookOpen size={28} strokeWidth={1.5} />}>
          <p>
            A skill is a folder with a <code className="font-mono text-ink">SKILL.md</code> that describes when to use
            it. Skills you link here are available to every agent.
          </p>
        </Empty>
      )}
      {value.skills.map((skill) => (
        <SkillLine key={skill.name} skill={skill} onRemoved={reload} />
      ))}
    </>
  );
}

function LinkSkill({ onLinked }: { onLinked: () => void }) {
  const [path, setPath] = useState("");
  const link = async () => {
    const folder = path.trim().replace(/\/+$/, "");
    try {
      await client.skills.put(folder.split("/").at(-1) ?? "", folder);
      setPath("");
      onLinked();
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <form
      className="mb-3 flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void link();
      }}
    >
      <TextField
        label="Skill folder"
        value={path}
        onChange={setPath}
        placeholder="/path/to/folder-with-SKILL.md"
        className="grow font-mono"
      />
      <Button type="submit" disabled={path.trim() === ""}>
        Link skill
      </Button>
    </form>
  );
}

function SkillLine({ skill, onRemoved }: { skill: SkillRow; onRemoved: () => void }) {
  const remove = () => client.skills.delete(skill.name).then(onRemoved, toastError);
  const about = (
    <>
      {skill.description} <code className="font-mono">{skill.path}</code>
    </>
  );
  return (
    <SettingRow name={skill.name} about={about}>
      {skill.linked ? (
        <Button aria-label={`Unlink ${skill.name}`} onClick={() => void remove()}>
          Unlink
        </Button>
      ) : (
        <Badge title="This skill is in Gantry's folder. Delete its folder to remove it.">In Gantry's folder</Badge>
      )}
    </SettingRow>
  );
}
