import type { AgentRow, Offer, ProviderTest, Terminal } from "@gantry/protocol";
import { useEffect, useState } from "react";
import { ProviderForm, testText } from "../../models/provider-form.tsx";
import { agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { TerminalView } from "../../terminal/terminal-view.tsx";
import { closeTerminal, hasEnded } from "../../terminal/terminals.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/layout/dialog.tsx";
import { statusOf } from "../agent-status.ts";
import { findSetupTerminal, recheckAgent } from "./run-setup.ts";
import { closeSetup, type SetupRequest, setupRequest } from "./setup-request.ts";

/** The open set-up over the current view: a key form, or the command in a terminal. */
export default function SetupDialog() {
  const request = useCell(setupRequest);
  if (!request) return null;
  return <OneSetup key={`${request.offer.agent} ${request.offer.kind}`} request={request} />;
}

function OneSetup({ request: { offer, onReady } }: { request: SetupRequest }) {
  const [problem, setProblem] = useState<string>();
  const [run, setRun] = useState(0);
  const row = useCell(agents).find(({ id }) => id === offer.agent);
  const finish = async (failure?: string) => {
    await recheckAgent(offer.agent);
    const now = agents.get().find(({ id }) => id === offer.agent);
    if (!failure && now && statusOf(now) === "ready") {
      closeSetup();
      toast({ tone: "info", text: `${now.name} is ready.` });
      return onReady();
    }
    setProblem(failure ?? notReadyText(now, offer));
  };
  const onProvider = (_: string, test: ProviderTest | undefined) =>
    void finish(test && !test.ok ? `The key was stored, but the test failed: ${testText(test)}` : undefined);
  return (
    <Dialog
      title={offer.title}
      wide={!offer.keys}
      onClose={closeSetup}
      footer={
        <>
          {!offer.keys && <Button onClick={() => setRun(run + 1)}>Run again</Button>}
          {row?.state === "ready" && <Button onClick={() => [closeSetup(), onReady()]}>Use it anyway</Button>}
        </>
      }
    >
      {offer.keys ? (
        <ProviderForm onDone={onProvider} />
      ) : (
        <SetupTerminal key={run} offer={offer} onExit={() => void finish()} />
      )}
      <div role="alert" className="empty:hidden">
        {problem && <p className="mt-3 rounded-md bg-bad-wash px-3 py-2">{problem}</p>}
      </div>
    </Dialog>
  );
}

function notReadyText(row: AgentRow | undefined, offer: Offer): string {
  const [problem] = row?.problems ?? [];
  if (problem) return `${problem.message} ${problem.fix}`;
  return `${row?.name ?? offer.agent} is not ready yet. Run the command again, or close this window.`;
}

/** Runs the command of the offer. A running one is shown again, and an ended one is removed with the dialog. */
function SetupTerminal({ offer, onExit }: { offer: Offer; onExit: () => void }) {
  const [terminal, setTerminal] = useState<Terminal>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once; another run is another terminal.
  useEffect(() => {
    let opened: string | undefined;
    void findSetupTerminal(offer).then((found) => {
      opened = found.id;
      setTerminal(found);
    }, toastError);
    return () => {
      if (opened && hasEnded(opened)) void closeTerminal(opened);
    };
  }, []);
  return (
    <>
      <p className="pb-2 text-soft">
        The command of the agent runs here: <code className="font-mono text-xs">{offer.display}</code>
      </p>
      <section
        aria-label="Terminal"
        className="flex h-80 max-h-[50vh] flex-col overflow-hidden rounded-md border border-line"
      >
        {terminal ? (
          <TerminalView key={terminal.id} id={terminal.id} focused onLeave={closeSetup} onExit={onExit} />
        ) : (
          <p className="m-auto text-faint">Opening a terminal…</p>
        )}
      </section>
    </>
  );
}
