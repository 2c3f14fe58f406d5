import { File, Folder, Slash } from "lucide-react";
import { useEffect, useRef } from "react";
import { classes } from "../../ui/classes.ts";
import type { Suggestion } from "./use-suggestions.ts";

const icons = { file: <File size={13} />, folder: <Folder size={13} />, command: <Slash size={13} /> };

type SuggestionListProps = {
  id: string;
  suggestions: readonly Suggestion[];
  active: number;
  onChoose: (suggestion: Suggestion) => void;
};

export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}

/** The list of suggestions. The text box keeps the focus and marks the active one. */
export function SuggestionList({ id, suggestions, active, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Suggestions"
      className="absolute inset-x-0 bottom-full z-20 mb-1.5 max-h-72 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-raised"
    >
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text box has the focus and handles the keys.
        <div
          key={suggestion.value}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The text box must keep the focus on a click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
          className={classes(
            "flex cursor-pointer items-center gap-2 rounded px-2 py-1 pointer-coarse:min-h-11",
            index === active ? "bg-hover text-ink" : "text-soft hover:bg-hover",
          )}
        >
          <span className="shrink-0 text-faint">{icons[suggestion.kind]}</span>
          <Label suggestion={suggestion} />
          {suggestion.detail && <span className="grow truncate text-xs text-faint">{suggestion.detail}</span>}
        </div>
      ))}
    </div>
  );
}

/** A path with its last part emphasized. */
function Label({ suggestion: { kind, label } }: { suggestion: Suggestion }) {
  if (kind === "command") return <span className="shrink-0 font-mono text-xs text-ink">{label}</span>;
  const cut = label.replace(/\/$/, "").lastIndexOf("/") + 1;
  return (
    <span className="truncate font-mono text-xs">
      <span className="text-faint">{label.slice(0, cut)}</span>
      <span className="text-ink">{label.slice(cut)}</span>
    </span>
  );
}
