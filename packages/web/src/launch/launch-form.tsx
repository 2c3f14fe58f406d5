import { MOST_SLOTS } from "@gantry/protocol";
import { Plus, Rocket, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { AttachButton } from "../composer/box/attach-button.tsx";
import { DraftCard } from "../composer/box/draft-card.tsx";
import { DraftParts } from "../composer/box/draft-parts.tsx";
import { MessageBox } from "../composer/box/message-box.tsx";
import { useFileDrop } from "../composer/box/use-file-drop.ts";
import { ChoicePickers } from "../composer/choices/choice-pickers.tsx";
import { ExtraFolders } from "../composer/choices/extra-folders.tsx";
import { FolderPicker } from "../composer/choices/folder-picker.tsx";
import { composedDraft } from "../composer/draft-actions.ts";
import { useShortcuts } from "../shell/shortcuts.ts";
import { agents, scanAgents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { client } from "../store/connection/client.ts";
import { loadLaunches } from "../store/launches.ts";
import { clearDraft } from "../store/outgoing/drafts.ts";
import { lastPlace } from "../store/outgoing/last-choices.ts";
import { newId } from "../store/outgoing/outbox.ts";
import { useSessions } from "../store/sessions/hooks.ts";
import { tilesPath } from "../tiles/tile-list.ts";
import { Button } from "../ui/controls/button.tsx";
import { TextField } from "../ui/controls/field.tsx";
import { ErrorMessage, useAttempt } from "../ui/load/attempt.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { addSlot, changeSlot, firstSlots, type Slot, slotsOf } from "./slots.ts";

const DRAFT = "launch";
const NO_COMMANDS = [] as const;

/** Sends one prompt to several agents, each in its own lane. */
export default function LaunchForm() {
  const used = useSessions()[0]?.cwd;
  const { cwd = used } = useCell(lastPlace);
  const [slots, setSlots] = useSlots(cwd);
  const [base, setBase] = useState("");
  const [folders, setFolders] = useState<string[]>([]);
  const { start, busy, problem } = useStart(slots, { cwd, base, folders });
  useShortcuts([{ keys: "mod+enter", does: "Launch", run: start, whileTyping: true }]);
  return (
    <section aria-label="Launch" className="grow overflow-y-auto px-6">
      <div className="mx-auto flex min-h-full w-full max-w-3xl flex-col justify-center gap-4 pt-10 pb-[12vh]">
        <div>
          <h1 className="text-xl font-semibold tracking-tight">Compare agents</h1>
          <p className="text-soft">
            The same prompt goes to each agent, each in its own worktree. Compare the results and land the best one.
          </p>
        </div>
        <form aria-label="Launch" onSubmit={(event) => event.preventDefault()}>
          <PromptCard cwd={cwd} base={base} onBase={setBase} onSend={start} />
          <div className="mt-1.5 flex flex-wrap items-center gap-1 px-1.5">
            <ExtraFolders folders={folders} onChange={setFolders} />
          </div>
          <SlotList slots={slots} onChange={setSlots} />
          <div className="mt-4 flex justify-end">
            <Button
              look="primary"
              icon={<Rocket size={14} />}
              keys="mod+enter"
              disabled={busy || slots.length === 0}
              onClick={start}
            >
              {slots.length === 1 ? "Launch 1 agent" : `Launch ${slots.length} agents`}
            </Button>
          </div>
          <ErrorMessage problem={problem} />
        </form>
      </div>
    </section>
  );
}

type PromptCardProps = {
  cwd: string | undefined;
  /** The branch or commit that the lanes start from; empty for HEAD. */
  base: string;
  onBase: (base: string) => void;
  onSend: () => void;
};

function PromptCard({ cwd, base, onBase, onSend }: PromptCardProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const over = useFileDrop(DRAFT);
  useEffect(() => box.current?.focus(), []);
  return (
    <DraftCard over={over}>
      <DraftParts draft={DRAFT} />
      <MessageBox
        draft={DRAFT}
        box={box}
        tall
        source={{ cwd, commands: NO_COMMANDS }}
        placeholder="Describe the task. Type @ to mention a file"
        onSend={onSend}
      />
      <div className="flex flex-wrap items-center gap-1 px-1.5 pb-1.5">
        <AttachButton draft={DRAFT} />
        <FolderPicker folder={cwd} onChoose={(folder) => lastPlace.update((all) => ({ ...all, cwd: folder }))} />
        <TextField
          label="Start from"
          placeholder="Start from HEAD"
          value={base}
          onChange={onBase}
          className="w-32 border-transparent bg-transparent font-mono text-xs"
        />
      </div>
    </DraftCard>
  );
}

function useSlots(cwd: string | undefined) {
  const rows = useCell(agents);
  const { value: defaults } = useQuery(`defaults ${cwd}`, () => client.defaults.get(cwd ? { cwd } : {}));
  const mode = defaults?.mode;
  const [slots, setSlots] = useState<Slot[]>([]);
  useEffect(() => {
    if (agents.get().length === 0) void scanAgents();
  }, []);
  useEffect(() => {
    if (mode) setSlots((now) => (now.length > 0 ? now : firstSlots(rows, mode)));
  }, [rows, mode]);
  return [slots, setSlots] as const;
}

/** The id stays the same until the launch exists, so that a retry does not create a second one. */
function useStart(slots: readonly Slot[], { cwd, base, folders }: { cwd?: string; base: string; folders: string[] }) {
  const [, go] = useLocation();
  const { attempt, busy, problem } = useAttempt();
  const id = useRef(newId("launch"));
  const start = () => {
    const draft = composedDraft(DRAFT);
    if (!draft || busy) return;
    attempt(async () => {
      if (!cwd) throw new Error("Choose the repository first.");
      const launch = await client.call("createLaunch", {
        body: {
          id: id.current,
          prompt: draft.text,
          ...(draft.attachments ? { attachments: draft.attachments } : {}),
          cwd,
          ...(base.trim() ? { base: base.trim() } : {}),
          ...(folders.length > 0 ? { folders } : {}),
          slots: slotsOf(slots),
        },
      });
      clearDraft(DRAFT);
      await loadLaunches();
      go(launch.slots.length > 1 ? tilesPath(launch.slots.map(({ session }) => session)) : `/launches/${launch.id}`);
    });
  };
  return { start, busy, problem };
}

function SlotList({ slots, onChange }: { slots: readonly Slot[]; onChange: (slots: Slot[]) => void }) {
  if (slots.length === 0) return <p className="mt-3 px-2 text-faint">Looking for agents…</p>;
  return (
    <>
      <ol aria-label="Agents" className="mt-3 flex flex-col gap-1.5">
        {slots.map((slot, index) => (
          <SlotRow
            key={slot.key}
            slot={slot}
            place={index + 1}
            onChange={(patch) => onChange(changeSlot(slots, slot.key, patch))}
            onRemove={slots.length > 1 ? () => onChange(slots.filter(({ key }) => key !== slot.key)) : undefined}
          />
        ))}
      </ol>
      {slots.length < MOST_SLOTS && (
        <Button look="quiet" className="mt-1.5" icon={<Plus size={14} />} onClick={() => onChange(addSlot(slots))}>
          Add agent
        </Button>
      )}
    </>
  );
}

type SlotRowProps = { slot: Slot; place: number; onChange: (patch: Partial<Slot>) => void; onRemove?: () => void };

function SlotRow({ slot, place, onChange, onRemove }: SlotRowProps) {
  const rows = useCell(agents);
  const row = rows.find((known) => known.id === slot.agent);
  return (
    <li
      aria-label={`Agent ${place}`}
      className="flex flex-wrap items-center gap-1 rounded-lg border border-line px-2 py-1 text-soft"
    >
      <span aria-hidden="true" className="w-5 text-center text-xs text-faint tabular-nums">
        {place}
      </span>
      <ChoicePickers
        agent={{
          label: `Agent ${place}`,
          value: slot.agent,
          onChoose: (agent, model) => onChange({ agent, model, effort: undefined, controls: undefined }),
        }}
        row={row}
        chosen={slot}
        free
        onChange={onChange}
      />
      <span className="grow" />
      {onRemove && <Button look="quiet" label={`Remove agent ${place}`} icon={<X size={14} />} onClick={onRemove} />}
    </li>
  );
}
