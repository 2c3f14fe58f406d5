import { limitWords, type SessionView } from "@gantry/protocol";
import { Gauge } from "lucide-react";
import { useState } from "react";
import { client } from "../store/client.ts";
import { takeSession } from "../store/sessions.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Checkbox } from "../ui/controls/checkbox.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";

const BudgetDialog = lazyView(async () => ({ default: (await import("./budget-dialog.tsx")).BudgetDialog }));

/** Above the composer while the session may start no turn: why, until when, and what to do. */
export function LimitBar({ session }: { session: SessionView }) {
  const { id, limit } = session;
  const [raising, setRaising] = useState(false);
  if (!limit) return null;
  const budget = limit.source === "budget";
  const resume = () => client.call("resumeSession", { params: { id } }).then(takeSession, toastError);
  const setAuto = (autoResume: boolean) =>
    client.sessions.patch(id, { autoResume }).then(({ session: next }) => takeSession(next), toastError);
  const words = limitWords(limit);
  return (
    <div
      role="status"
      className="mx-1 mb-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg bg-need-wash px-3 py-1.5"
    >
      <Gauge size={14} aria-hidden="true" className="shrink-0 text-need" />
      <span className="min-w-48 grow">
        <b className="font-medium text-need">
          {words.charAt(0).toUpperCase()}
          {words.slice(1)}
        </b>
        <span className="text-soft">
          {" "}
          {limit.text ?? `Messages wait until ${limit.provider} takes requests again.`}
        </span>
      </span>
      {!budget && (
        <Checkbox checked={limit.autoResume} onChange={(on) => void setAuto(on)}>
          go on by itself
        </Checkbox>
      )}
      {budget ? (
        <Button onClick={() => setRaising(true)}>Change the budget …</Button>
      ) : (
        <Button onClick={() => void resume()}>Try now</Button>
      )}
      {raising && <BudgetDialog session={session} onClose={() => setRaising(false)} />}
    </div>
  );
}
