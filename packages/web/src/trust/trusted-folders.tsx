import type { TrustedFolder } from "@gantry/protocol";
import { FolderCheck } from "lucide-react";
import { SettingRow } from "../settings/setting-row.tsx";
import { client } from "../store/connection/client.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { PathText } from "../ui/text/path-text.tsx";

/** The folders whose programs may run, each with a revoke button. */
export function TrustedFolders() {
  const { value, error, reload } = useQuery("trust", client.trust.list);
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (value?.length === 0)
    return (
      <Empty title="No trusted folders" icon={<FolderCheck size={28} strokeWidth={1.5} />}>
        <p>
          Language servers, set-up commands, git hooks and other programs that a folder supplies run only after you
          trust the folder. Gantry asks when it finds one.
        </p>
      </Empty>
    );
  const revoke = async ({ path }: TrustedFolder) => {
    try {
      await client.trust.revoke(path);
      toast({ tone: "info", text: `${path} is no longer trusted.` });
    } catch (failed) {
      toastError(failed);
    }
    reload();
  };
  return (
    <>
      {value && (
        <p className="mb-2 text-soft">
          What these folders supply may run. After you revoke one, its programs no longer start, and Gantry asks again.
        </p>
      )}
      {value?.map((folder) => (
        <SettingRow key={folder.path} name={<PathText path={folder.path} />} about={<Since folder={folder} />}>
          <Button aria-label={`Revoke trust in ${folder.path}`} onClick={() => void revoke(folder)}>
            Revoke
          </Button>
        </SettingRow>
      ))}
    </>
  );
}

function Since({ folder: { items, trustedAt } }: { folder: TrustedFolder }) {
  return (
    <>
      {items === 1 ? "1 item" : `${items} items`}, trusted <Ago at={trustedAt} phrase />
    </>
  );
}
