import type { Grant, SessionView } from "@gantry/protocol";
import { ShieldCheck } from "lucide-react";
import { client } from "../store/connection/client.ts";
import { useAllSessions } from "../store/sessions/hooks.ts";
import { sessionCell, storeSession } from "../store/sessions/sessions.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Ago } from "../ui/display/ago.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { SettingRow } from "./setting-row.tsx";

/** Permissions granted for a whole session, and leads, each with a revoke button. */
export function Grants() {
  const { value, error, reload } = useQuery("grants", client.grants);
  const leads = useAllSessions().filter(({ lead }) => lead);
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (value?.length === 0 && leads.length === 0)
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
  return (
    <>
      {leads.map((session) => (
        <Lead key={session.id} session={session} />
      ))}
      {value?.map((grant) => (
        <SettingRow key={grant.id} name={grant.scope.label} about={<From grant={grant} />}>
          <Button aria-label={`Revoke ${grant.scope.label}`} onClick={() => void revoke(grant)}>
            Revoke
          </Button>
        </SettingRow>
      ))}
    </>
  );
}

/** A session whose agent acts for the sessions that it started. */
function Lead({ session: { id, title } }: { session: SessionView }) {
  const revoke = () =>
    client.sessions.patch(id, { lead: false }).then(({ session }) => storeSession(session), toastError);
  const about = (
    <SessionLink id={id} className="underline hover:text-ink">
      {title}
    </SessionLink>
  );
  return (
    <SettingRow name="Answers, hands off and lands for the sessions that it started" about={about}>
      <Button aria-label={`Revoke the lead of ${title}`} onClick={() => void revoke()}>
        Revoke
      </Button>
    </SettingRow>
  );
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
