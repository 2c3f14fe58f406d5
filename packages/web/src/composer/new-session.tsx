import type { AgentRow, CreateSession, ScheduledSession } from "@gantry/protocol";
import { ArrowUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { ScheduleButton } from "../schedules/schedule-button.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { agents, scanAgents, scanning } from "../store/agents.ts";
import { flushCells, useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { connection } from "../store/connection/connection.ts";
import { clearDraft, draftOf, NEW_SESSION, restoreDraft } from "../store/outgoing/drafts.ts";
import { type Choices, formChoices, lastPlace } from "../store/outgoing/last-choices.ts";
import { createSession, newId } from "../store/outgoing/outbox.ts";
import { useShownProject } from "../store/projects.ts";
import { useSessions } from "../store/sessions/hooks.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Select } from "../ui/controls/select.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { AttachButton } from "./box/attach-button.tsx";
import { DraftCard } from "./box/draft-card.tsx";
import { DraftParts } from "./box/draft-parts.tsx";
import { MessageBox } from "./box/message-box.tsx";
import { useKnownCommands } from "./box/use-commands.ts";
import { useFileDrop } from "./box/use-file-drop.ts";
import { ChoicePickers } from "./choices/choice-pickers.tsx";
import { ExtraFolders } from "./choices/extra-folders.tsx";
import { FolderPicker } from "./choices/folder-picker.tsx";
import { composedDraft } from "./draft-actions.ts";
import { changeChoices, chooseSettings } from "./new-session-choices.ts";
import { NoAgent } from "./no-agent.tsx";
import { SavedPrompts } from "./prompts/saved-prompts.tsx";

/** The form that starts a session: the task, the agent and the folder. */
export default function NewSession() {
  const rows = useAgents();
  const looking = useCell(scanning);
  const form = useForm(rows);
  return (
    <section aria-label="New session" className="grow overflow-y-auto px-6">
      <div className="mx-auto flex min-h-full w-full max-w-2xl flex-col justify-center gap-4 pt-10 pb-[18vh]">
        <div className="flex flex-wrap items-baseline gap-x-4">
          <h1 className="grow text-xl font-semibold tracking-tight">What should the agent do?</h1>
          <Link href="/launch" className="text-soft hover:text-ink hover:underline">
            Compare agents
          </Link>
          <Link href="/import" className="text-soft hover:text-ink hover:underline">
            Import a conversation
          </Link>
        </div>
        {rows.length > 0 && !looking && !form.row ? <NoAgent /> : <NewSessionForm form={form} />}
      </div>
    </section>
  );
}

/** The agents. Scans again if the daemon was unreachable before. */
function useAgents(): readonly AgentRow[] {
  const rows = useCell(agents);
  const online = useCell(connection).state === "online";
  useEffect(() => {
    if (online && agents.get().length === 0) void scanAgents();
  }, [online]);
  return rows;
}

type Form = ReturnType<typeof useForm>;

/** The agent of the form, and the defaults of the folder for it. The daemon decides as for `gantry run`. */
function useDefaults(cwd: string | undefined, wanted: Partial<Choices>, ready: readonly AgentRow[]) {
  const place = cwd === undefined ? {} : { cwd };
  const { value: general } = useQuery(`defaults ${cwd}`, () => client.defaults.get(place));
  const wantedRow = ready.find(({ id }) => id === (wanted.agent ?? general?.agent));
  const row = wantedRow ?? ready.find(({ auth }) => auth.state !== "missing") ?? ready[0];
  const { value: defaults } = useQuery(`defaults ${cwd} ${row?.id}`, async () =>
    row === undefined ? undefined : client.defaults.get({ ...place, agent: row.id }),
  );
  return { row, defaults };
}

/** The folder of the form: the chosen one, else that of the shown project, else the last one. */
function useFolder(touched: Partial<Choices>): string | undefined {
  const project = useShownProject()?.root;
  const { cwd: last } = useCell(lastPlace);
  const used = useSessions()[0]?.cwd;
  return touched.cwd ?? project ?? last ?? used;
}

/** The defaults of the folder, what the user chose instead, and the agents that are ready now. */
function useForm(rows: readonly AgentRow[]) {
  const touched = useCell(formChoices);
  const { newLane } = useCell(lastPlace);
  const cwd = useFolder(touched);
  const ready = rows.filter((row) => row.state === "ready");
  const { row, defaults } = useDefaults(cwd, touched, ready);
  const { chosen, settings } = chooseSettings(row?.id, { defaults, touched });
  const [title, setTitle] = useState("");
  const [folders, setFolders] = useState<string[]>([]);
  const change = (patch: Partial<Choices>) => {
    formChoices.update((all) => changeChoices(all, patch, row?.id));
    const { cwd: folder, newLane: lane } = patch;
    if (folder !== undefined || lane !== undefined)
      lastPlace.update((all) => ({
        ...all,
        ...(folder ? { cwd: folder } : {}),
        ...(lane === undefined ? {} : { newLane: lane }),
      }));
    flushCells();
  };
  const template = (): ScheduledSession => ({
    ...settings,
    agent: row?.id ?? "",
    cwd,
    folders: folders.length > 0 ? folders : undefined,
    title: title.trim() || undefined,
  });
  const body = (): NewBody => ({ id: newId("session"), ...template() });
  return { chosen: { newLane, ...chosen, cwd }, row, title, setTitle, folders, setFolders, change, template, body };
}

function NewSessionForm({ form }: { form: Form }) {
  const { chosen, row, change } = form;
  const box = useRef<HTMLTextAreaElement>(null);
  const over = useFileDrop(NEW_SESSION);
  const { text, contexts } = useCell(draftOf(NEW_SESSION).body);
  const files = useCell(draftOf(NEW_SESSION).files);
  const filled = text.trim() !== "" || contexts.length > 0 || files.length > 0;
  const [, go] = useLocation();
  const [starting, setStarting] = useState(false);
  const start = async (prompt: boolean) => {
    if (!row || starting || (prompt && !composedDraft(NEW_SESSION))) return;
    setStarting(true);
    await startSession(form.body(), prompt, chosen.newLane === true, go);
    setStarting(false);
  };
  useEffect(() => box.current?.focus(), []);
  useShortcuts([
    { keys: "i", does: "Write a message", run: () => box.current?.focus() },
    { keys: "mod+enter", does: "Start the session", run: () => start(true), whileTyping: true },
  ]);
  return (
    <form aria-label="Composer" onSubmit={(event) => event.preventDefault()}>
      <DraftCard over={over}>
        <DraftParts draft={NEW_SESSION} />
        <MessageBox
          draft={NEW_SESSION}
          box={box}
          tall
          source={{ cwd: chosen.cwd, commands: useKnownCommands(row?.id, chosen.cwd) }}
          placeholder="Describe the task. @ for files, / for commands"
          onSend={() => start(true)}
        />
        <div className="flex flex-wrap items-center gap-1 px-1.5 pb-1.5 text-soft">
          <AttachButton draft={NEW_SESSION} />
          <SavedPrompts draft={NEW_SESSION} box={box} />
          <ScheduleButton
            message={() => composedDraft(NEW_SESSION)}
            create={form.template}
            onDone={() => {
              clearDraft(NEW_SESSION);
              go("/settings?tab=schedules");
            }}
          />
          <ChoicePickers
            agent={{ value: row?.id ?? "", onChoose: (agent, model) => change({ agent, ...(model ? { model } : {}) }) }}
            row={row}
            chosen={chosen}
            free
            onChange={change}
          />
          <span className="grow" />
          <Button look="primary" icon={<ArrowUp size={14} />} disabled={!filled || !row} onClick={() => start(true)}>
            Send
          </Button>
        </div>
      </DraftCard>
      <SessionOptions form={form} onStart={() => start(false)} />
    </form>
  );
}

const locations = [
  { value: "folder", label: "This folder" },
  { value: "lane", label: "New worktree" },
];

/** The session's folder and title, and a button that starts it without a message. */
function SessionOptions({ form, onStart }: { form: Form; onStart: () => void }) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 text-soft">
      <FolderPicker folder={form.chosen.cwd} onChoose={(cwd) => form.change({ cwd })} />
      <Select
        label="Where"
        value={form.chosen.newLane ? "lane" : "folder"}
        choices={locations}
        onChoose={(where) => form.change({ newLane: where === "lane" })}
      />
      <ExtraFolders folders={form.folders} onChange={form.setFolders} />
      <input
        aria-label="Title (optional)"
        placeholder="Title (optional)"
        maxLength={200}
        value={form.title}
        onChange={(event) => form.setTitle(event.target.value)}
        className="h-7 min-w-40 grow rounded-md border border-transparent pointer-coarse:h-11 bg-transparent px-2 placeholder:text-faint hover:border-line focus:border-line-strong"
      />
      <Button look="quiet" disabled={!form.row} onClick={onStart}>
        Start empty
      </Button>
    </div>
  );
}

/** Creates the session and opens it. If the daemon refuses it, the draft is restored. */
async function startSession(body: NewBody, withPrompt: boolean, newLane: boolean, go: (path: string) => void) {
  const composed = withPrompt ? composedDraft(NEW_SESSION) : undefined;
  const { text: prompt, attachments } = composed ?? {};
  if (composed) clearDraft(NEW_SESSION);
  try {
    const located = newLane ? await withNewLane(body, prompt ?? body.title) : body;
    await createSession({ ...located, prompt, attachments });
    formChoices.set({});
    go(`/s/${body.id}`);
  } catch (error) {
    if (composed) restoreDraft(NEW_SESSION, composed.text, composed.attachments);
    toastError(error);
  }
}

type NewBody = CreateSession & { id: string };

/** The session in a new lane, named after the task. */
async function withNewLane({ cwd, ...body }: NewBody, task: string | undefined): Promise<NewBody> {
  const lane = await client.call("createLane", { body: { cwd, agent: body.agent, ...(task ? { prompt: task } : {}) } });
  return { ...body, lane: lane.id };
}
