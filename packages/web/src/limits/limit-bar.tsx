import { limitTitle, type SessionView } from "@gantry/protocol";
import { Gauge } from "lucide-react";
import { useState } from "react";
import { client } from "../store/connection/client.ts";
import { storeSession } from "../store/sessions/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Checkbox } from "../ui/controls/checkbox.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";
import { tryNow } from "./hold-actions.tsx";

const BudgetDialog = lazyView(async () => ({ default: (await import("./budget-dialog.tsx")).BudgetDialog }));

/** Shown above the composer while a limit holds the session: the reason, the time and the actions. */
export function LimitBar({ session }: { session: SessionView }) {
  const { id, limit } = session;
  const [raising, setRaising] = useState(false);
  if (!limit) return null;
  const budget = limit.source === "budget";
  const setAuto = (autoResume: boolean) =>
    client.sessions.patch(id, { autoResume }).then(({ session: next }) => storeSession(next), toastError);
  return (
    <div
      role="status"
      className="mx-1 mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg bg-need-wash px-3 py-1.5"
    >
      <Gauge size={14} aria-hidden="true" className="shrink-0 text-need" />
      <span className="min-w-48 grow">
        <b className="font-medium text-need">{limitTitle(limit)}</b>
        <span className="text-soft"> {limit.text ?? "Messages are held until then."}</span>
      </span>
      {!budget && (
        <Checkbox checked={limit.autoResume} onChange={(on) => void setAuto(on)}>
          Resume automatically
        </Checkbox>
      )}
      {budget ? (
        <Button onClick={() => setRaising(true)}>Change budget…</Button>
      ) : (
        <Button onClick={() => void tryNow(id).catch(toastError)}>Try now</Button>
      )}
      {raising && <BudgetDialog session={session} onClose={() => setRaising(false)} />}
    </div>
  );
}
