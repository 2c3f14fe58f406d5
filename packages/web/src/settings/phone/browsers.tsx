import type { PushSubscriptionRow } from "@gantry/protocol";
import { ownSubscription, revokeSubscription } from "../../shell/notifications/push.ts";
import { useCell } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Ago } from "../../ui/display/ago.tsx";
import { SettingRow } from "../setting-row.tsx";

type BrowsersProps = { rows: readonly PushSubscriptionRow[]; onChange: () => void };

/** The subscribed browsers, each with the host that receives its messages. */
export function Browsers({ rows, onChange }: BrowsersProps) {
  const own = useCell(ownSubscription);
  if (rows.length === 0) return null;
  const test = async (row: PushSubscriptionRow) => {
    try {
      const { failure } = await client.push.test(row.id);
      if (failure) toast({ tone: "error", text: `Not sent to ${row.name}. ${failure}` });
      else toast({ tone: "info", text: `Sent to ${row.name} through ${row.host}.` });
    } catch (failed) {
      toastError(failed);
    }
    onChange();
  };
  const revoke = async (row: PushSubscriptionRow) => {
    await revokeSubscription(row.id).then(
      () => toast({ tone: "info", text: `${row.name} gets no more notifications.` }),
      toastError,
    );
    onChange();
  };
  return (
    <section aria-label="Subscribed browsers" className="mt-6">
      <h2 className="mb-1 text-xs font-semibold text-soft">Subscribed browsers</h2>
      {rows.map((row) => (
        <SettingRow
          key={row.id}
          name={row.id === own ? `${row.name} (this browser)` : row.name}
          about={<Delivery row={row} />}
        >
          <Button aria-label={`Test ${row.name}`} onClick={() => void test(row)}>
            Test
          </Button>
          <Button aria-label={`Revoke ${row.name}`} onClick={() => void revoke(row)}>
            Revoke
          </Button>
        </SettingRow>
      ))}
    </section>
  );
}

function Delivery({ row: { host, sentAt, failure } }: { row: PushSubscriptionRow }) {
  return (
    <>
      Messages go through {host}.{" "}
      {failure ? (
        <span className="text-bad">{failure}</span>
      ) : sentAt ? (
        <>
          Last sent <Ago at={sentAt} phrase />.
        </>
      ) : (
        "Nothing was sent yet."
      )}
    </>
  );
}
