import type { DevServer } from "@gantry/protocol";
import { useCellPart } from "../store/cell.ts";
import { sessionCell } from "../store/sessions/sessions.ts";
import { OutputText } from "../tasks/output-text.tsx";
import { TerminalView } from "../terminal/terminal-view.tsx";

/** The log of the server that a preview shows: the output of its task, or its terminal. */
export function ServerLog({ session, server }: { session: string; server: DevServer | undefined }) {
  const task = useCellPart(sessionCell(session), (view) => view?.tasks?.find((one) => one.task === server?.task));
  return (
    <section aria-label="Server log" className="flex h-56 max-h-[40%] shrink-0 flex-col border-t border-line">
      {task && <OutputText session={session} task={task} className="min-h-0 grow rounded-none border-0" />}
      {!task && server?.terminal && <TerminalView id={server.terminal} onLeave={() => undefined} />}
      {!task && !server?.terminal && (
        <p className="p-3 text-xs text-soft">
          {server
            ? "Its log is not known: the server was started by a command that the agent did not report as a background task."
            : "No process of this session serves this address, so its log is not known."}
        </p>
      )}
    </section>
  );
}
