import { Check, ChevronRight, Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { classes } from "../classes.ts";
import { Button } from "../controls/button.tsx";
import { filterOptions, moveIndex, type PickerOption, type PickerStep } from "./options.ts";

type PickerPanelProps = {
  steps: readonly PickerStep[];
  current: number;
  query: string;
  onStep: (step: number) => void;
  onClose: () => void;
};

/** A field that filters, the options, and tabs to the other lists. */
export function PickerPanel({ steps, current, query: initial, onStep, onClose }: PickerPanelProps) {
  const id = useId();
  const step = steps[current];
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState(initial);
  const found = useMemo(() => filterOptions(step?.options ?? [], query), [step?.options, query]);
  const [at, setAt] = useState(() => (initial ? 0 : Math.max(0, indexOfChosen(found, step?.value))));
  // Another step was opened. The first one is focused by the picker, once the panel is shown.
  useEffect(() => focusPanel(field.current?.closest<HTMLElement>(".picker") ?? null), []);
  if (!step) return null;
  const choose = (option: PickerOption | undefined, isLast = true) => {
    if (!option || option.disabled) return;
    if (isLast || option.run) onClose();
    if (option.run) return option.run();
    if (option.value !== step.value) step.onChoose(option.value);
    if (!isLast) onStep(current + 1);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const to = moveIndex(event.key, at, found.length);
    const isAtEnd = event.currentTarget.selectionStart === query.length;
    if (to !== undefined) setAt(to);
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) choose(found[at]);
    else if (event.key === "ArrowRight" && isAtEnd && current < steps.length - 1) choose(found[at], false);
    else if (event.key === "ArrowLeft" && query === "" && current > 0) onStep(current - 1);
    else if (event.key === "Tab" && steps.length === 1) return onClose();
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="dialog"
      tabIndex={-1}
      aria-label={`Choose: ${step.label}`}
      className="flex min-h-0 grow flex-col outline-none"
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-2.5">
        <Search size={14} aria-hidden="true" className="shrink-0 text-faint" />
        <input
          ref={field}
          role="combobox"
          aria-label="Filter"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
          placeholder={`Find ${step.label.toLowerCase()}`}
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => [setQuery(event.target.value), setAt(0)]}
          onKeyDown={onKeyDown}
          className="h-9 min-w-0 grow bg-transparent outline-none placeholder:text-faint pointer-coarse:h-11"
        />
        <Button look="quiet" label="Close" icon={<X size={14} />} onClick={onClose} className="-mr-1.5 sm:hidden" />
      </div>
      <OptionList {...{ id, step, found, at }} onPoint={setAt} onChoose={(option) => choose(option)} />
      {steps.length > 1 && <StepTabs {...{ steps, current, onStep }} />}
    </div>
  );
}

/** Focuses the field with the caret at its end; on a touch screen the panel, so that no keyboard covers the options. */
export function focusPanel(panel: HTMLElement | null): void {
  const field = panel?.querySelector("input");
  if (matchMedia("(pointer: coarse)").matches) return panel?.querySelector<HTMLElement>("[role=dialog]")?.focus();
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}

function indexOfChosen(options: readonly PickerOption[], value: string | undefined): number {
  return options.findIndex((option) => option.value === value);
}

type OptionListProps = {
  id: string;
  step: PickerStep;
  found: readonly PickerOption[];
  at: number;
  onPoint: (at: number) => void;
  onChoose: (option: PickerOption) => void;
};

function OptionList({ id, step, found, at, onPoint, onChoose }: OptionListProps) {
  return (
    <div id={`${id}-list`} role="listbox" aria-label={step.label} className="min-h-0 grow overflow-y-auto p-1">
      {found.map((option, index) => (
        <OptionRow
          key={option.value}
          id={`${id}-${index}`}
          option={option}
          isChosen={option.value === step.value}
          isActive={index === at}
          heading={option.group !== found[index - 1]?.group ? option.group : undefined}
          onPoint={() => onPoint(index)}
          onChoose={() => onChoose(option)}
        />
      ))}
      {found.length === 0 && (
        <div role="option" tabIndex={-1} aria-selected={false} aria-disabled="true" className="px-2 py-3 text-faint">
          Nothing matches
        </div>
      )}
    </div>
  );
}

type OptionRowProps = {
  id: string;
  option: PickerOption;
  isChosen: boolean;
  isActive: boolean;
  heading: string | undefined;
  onPoint: () => void;
  onChoose: () => void;
};

function OptionRow({ id, option, isChosen, isActive, heading, onPoint, onChoose }: OptionRowProps) {
  const { label, hint, about, facts, disabled, value } = option;
  return (
    <>
      {heading && (
        <div role="presentation" className="px-2 pt-2 pb-0.5 text-2xs font-semibold text-faint">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys for all options. */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        data-value={value}
        aria-selected={isChosen}
        aria-disabled={disabled || undefined}
        ref={(element) => void (isActive && element?.scrollIntoView({ block: "nearest" }))}
        onPointerMove={onPoint}
        onClick={onChoose}
        title={facts?.full}
        className={classes(
          "flex cursor-pointer items-center gap-2 rounded-md px-2 py-1 pointer-coarse:min-h-11",
          isActive && "bg-hover",
          disabled && "cursor-default text-faint",
        )}
      >
        <Check size={13} aria-hidden="true" className={classes("shrink-0", !isChosen && "invisible")} />
        <span className="min-w-0 grow">
          <span className="block truncate">{hint ? `${label} · ${hint}` : label}</span>
          {about && <span className="block truncate text-xs text-faint">{about}</span>}
        </span>
        {facts && <span className="shrink-0 text-xs text-faint tabular-nums">{facts.short}</span>}
      </div>
    </>
  );
}

type StepTabsProps = Pick<PickerPanelProps, "steps" | "current" | "onStep">;

/** The other lists of the picker, in their order. */
function StepTabs({ steps, current, onStep }: StepTabsProps) {
  return (
    <nav
      aria-label="Settings"
      className="flex shrink-0 flex-wrap items-center gap-x-0.5 border-t border-line px-1.5 py-1 text-xs"
    >
      {steps.map((step, index) => (
        <span key={step.label} className="flex items-center gap-0.5">
          {index > 0 && <ChevronRight size={11} aria-hidden="true" className="text-faint" />}
          <button
            type="button"
            aria-current={index === current ? "step" : undefined}
            onClick={() => onStep(index)}
            className="rounded px-1 py-0.5 text-soft hover:bg-hover aria-[current=step]:font-semibold aria-[current=step]:text-ink pointer-coarse:min-h-11"
          >
            {step.tab ?? step.label}
          </button>
        </span>
      ))}
    </nav>
  );
}
