import type { Grant } from "@gantry/protocol";
import { ShieldCheck } from "lucide-react";
import { client } from "../store/connection/client.ts";
import { sessionCell } from "../store/sessions/sessions.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { SettingRow } from "./setting-row.tsx";

/** Permissions granted for a whole session, each with a revoke button. */
export function Grants() {
  const { value, error, reload } = useQuery("grants", client.grants);
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (value?.length === 0)
    return (
      <Empty title="No permissions granted" icon={<ShieldCheck size={28} strokeWidth={1.5} />}>
        <p>
          “Allow for this session” adds a permission here, with exactly what it covers. It ends with the session, or
          when you revoke it.
        </p>
      </Empty>
    );
  const revoke = async (grant: Grant) => {
    try {
      await client.revokeGrant(grant.id);
      toast({ tone: "info", text: `Revoked: ${grant.scope.label}. The agent will ask again.` });
    } catch (failed) {
      toastError(failed);
    }
    reload();
  };
  return value?.map((grant) => (
    <SettingRow key={grant.id} name={grant.scope.label} about={<From grant={grant} />}>
      <Button aria-label={`Revoke ${grant.scope.label}`} onClick={() => void revoke(grant)}>
        Revoke
      </Button>
    </SettingRow>
  ));
}

function From({ grant }: { grant: Grant }) {
  return (
    <>
      Granted in{" "}
      <SessionLink id={grant.session} className="underline hover:text-ink">
        {sessionCell(grant.session).get()?.title ?? grant.session}
      </SessionLink>
      , <Ago at={grant.at} phrase />
    </>
  );
}
