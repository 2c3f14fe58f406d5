import { type KeyboardEvent, type RefObject, useId, useState } from "react";
import { flushSync } from "react-dom";
import { useCell } from "../../store/cell.ts";
import { draftOf, setDraftText } from "../../store/outgoing/drafts.ts";
import { preferences } from "../../store/preferences.ts";
import { classes } from "../../ui/classes.ts";
import { addAttachments } from "../draft-actions.ts";
import { isAtEdge, type Recall, recallStep } from "./history.ts";
import { completeMention, type Mention, mentionAt } from "./mention.ts";
import { optionId, SuggestionList } from "./suggestion-list.tsx";
import { type Suggestion, type SuggestSource, useSuggestions } from "./use-suggestions.ts";

type MessageBoxProps = {
  /** The key of the draft: a session's id, or `NEW_SESSION`. */
  draft: string;
  box: RefObject<HTMLTextAreaElement | null>;
  source: SuggestSource;
  placeholder: string;
  /** Called when the send key is pressed. */
  onSend: () => void;
  /** Earlier messages, oldest first. Loaded on first use. */
  history?: () => Promise<readonly string[]>;
  /** Starts with room for several lines. */
  tall?: boolean;
};

/** The message text box, with completion of files and commands, history and pasted files. */
export function MessageBox({ draft, box, source, placeholder, onSend, history, tall }: MessageBoxProps) {
  const { text } = useCell(draftOf(draft).body);
  const { sendKey } = useCell(preferences);
  const list = useId();
  const completion = useCompletion(draft, text, box, source);
  const onHistoryKey = useRecall(draft, text, box, history);
  const open = completion.suggestions.length > 0;

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (completion.onKey(event) || onHistoryKey(event)) return event.preventDefault();
    if (event.key === "Escape") return event.currentTarget.blur();
    const bare = !event.shiftKey && !event.altKey && !event.metaKey && !event.ctrlKey;
    if (event.key !== "Enter" || !bare || sendKey !== "enter") return;
    event.preventDefault();
    onSend();
  };

  return (
    <div className="relative">
      {open && (
        <SuggestionList
          id={list}
          suggestions={completion.suggestions}
          active={completion.active}
          onChoose={completion.choose}
        />
      )}
      <textarea
        ref={box}
        aria-label="Message"
        aria-autocomplete="list"
        aria-controls={open ? list : undefined}
        aria-activedescendant={open ? optionId(list, completion.active) : undefined}
        placeholder={placeholder}
        rows={Math.min(Math.max(tall ? 4 : 1, text.split("\n").length), 14)}
        value={text}
        spellCheck
        onChange={(event) => {
          setDraftText(draft, event.target.value);
          completion.look(event.target);
        }}
        onSelect={(event) => completion.look(event.currentTarget)}
        onBlur={completion.close}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          void addAttachments(draft, files);
        }}
        className={classes(
          "field-sizing-content block max-h-[40vh] w-full resize-none bg-transparent px-3 pt-2.5 pb-1 text-base outline-none placeholder:text-faint",
          tall && "min-h-26",
        )}
      />
    </div>
  );
}

/** Completion of the mention at the caret. */
function useCompletion(draft: string, text: string, box: RefObject<HTMLTextAreaElement | null>, source: SuggestSource) {
  const [mention, setMention] = useState<Mention>();
  const [active, setActive] = useState(0);
  const suggestions = useSuggestions(mention, source);

  const look = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    const next = selectionStart === selectionEnd ? mentionAt(value, selectionStart) : undefined;
    setMention((before) => (isSame(before, next) ? before : next));
    if (next?.query !== mention?.query) setActive(0);
  };
  const close = () => setMention(undefined);
  const choose = ({ value }: Suggestion) => {
    if (!mention) return;
    const done = completeMention(text, mention, value);
    write(draft, done.text, done.caret, box.current);
    close();
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const count = suggestions.length;
    if (count === 0 || event.shiftKey || event.altKey || event.metaKey || event.ctrlKey) return false;
    const step = { ArrowDown: 1, ArrowUp: count - 1 }[event.key];
    const chosen = suggestions[Math.min(active, count - 1)];
    if (step !== undefined) setActive((at) => (at + step) % count);
    else if (event.key === "Escape") close();
    else if ((event.key === "Enter" || event.key === "Tab") && chosen) choose(chosen);
    else return false;
    return true;
  };
  return { suggestions, active: Math.min(active, suggestions.length - 1), look, close, choose, onKey };
}

function isSame(a: Mention | undefined, b: Mention | undefined): boolean {
  return a?.kind === b?.kind && a?.query === b?.query && a?.from === b?.from && a?.to === b?.to;
}

/** Replaces the text. It must be rendered before the caret can be set. */
function write(draft: string, text: string, caret: number, box: HTMLTextAreaElement | null): void {
  flushSync(() => setDraftText(draft, text));
  box?.setSelectionRange(caret, caret);
}

/** Arrow keys at the edges of the text step through earlier messages. */
function useRecall(
  draft: string,
  text: string,
  box: RefObject<HTMLTextAreaElement | null>,
  history: MessageBoxProps["history"],
) {
  const [recall, setRecall] = useState<Recall & { text: string }>();
  const go = async (step: -1 | 1) => {
    const now = recall?.text === text ? recall : undefined;
    const next = recallStep((await history?.()) ?? [], now, step, text);
    if (!next) return;
    setRecall(next.recall && { ...next.recall, text: next.text });
    write(draft, next.text, step === -1 ? 0 : next.text.length, box.current);
  };
  return (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key];
    if (!step || !history || event.shiftKey || event.altKey || event.metaKey || event.ctrlKey) return false;
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (!isAtEdge(text, selectionStart, selectionEnd, step, recall?.text === text)) return false;
    void go(step);
    return true;
  };
}
