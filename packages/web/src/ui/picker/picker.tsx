import { ChevronDown } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { classes } from "../classes.ts";
import { chosenText, type PickerStep } from "./options.ts";
import { focusPanel, PickerPanel } from "./panel.tsx";

type PickerProps = {
  steps: readonly PickerStep[];
  /** Between the comboboxes and the panel: further buttons of the row. */
  children?: ReactNode;
  className?: string;
};

/** What is open: the step, and the letter that opened it. */
type Opened = { step: number; query: string };

/**
 * Comboboxes that share one searchable panel. Each opens the panel at its own list; the tabs of the panel lead to the
 * others. Works with the keyboard, by touch and with screen readers.
 */
export function Picker({ steps, children, className }: PickerProps) {
  const id = useId();
  const { panel, opened, open, setOpened, close, onToggle } = usePanel();
  const current = opened && Math.min(opened.step, steps.length - 1);
  return (
    <>
      {steps.map((step, index) =>
        step.folded ? null : (
          <Trigger
            key={step.label}
            step={step}
            panel={id}
            isOpen={current === index}
            className={className}
            onOpen={(button, query) => open(index, button, query)}
          />
        ),
      )}
      {children}
      <div ref={panel} id={id} popover="auto" onToggle={onToggle} className="picker">
        {opened && current !== undefined && (
          <PickerPanel
            key={`${current} ${opened.query}`}
            steps={steps}
            current={current}
            query={opened.query}
            onStep={(step) => setOpened({ step, query: "" })}
            onClose={close}
          />
        )}
      </div>
    </>
  );
}

/** The panel's state, its place next to the combobox that opened it, and the focus. */
function usePanel() {
  const panel = useRef<HTMLDivElement>(null);
  const anchor = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<Opened>();
  const open = (step: number, button: HTMLButtonElement, query = "") => {
    anchor.current = button;
    // The panel must have its content before it is measured.
    flushSync(() => setOpened({ step, query }));
    panel.current?.showPopover();
    focusPanel(panel.current);
  };
  const close = () => {
    panel.current?.hidePopover();
    anchor.current?.focus();
  };
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState === "open") place(panel.current, anchor);
    else setOpened(undefined);
  };
  useEffect(() => {
    if (!opened) return;
    const onResize = () => place(panel.current, anchor);
    addEventListener("resize", onResize);
    return () => removeEventListener("resize", onResize);
  }, [opened]);
  return { panel, opened, open, setOpened, close, onToggle };
}

type TriggerProps = {
  step: PickerStep;
  panel: string;
  isOpen: boolean;
  className?: string;
  onOpen: (button: HTMLButtonElement, query?: string) => void;
};

function Trigger({ step, panel, isOpen, className, onOpen }: TriggerProps) {
  const chosen = step.options.find(({ value }) => value === step.value);
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const isLetter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isLetter && event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    onOpen(event.currentTarget, isLetter ? event.key : "");
  };
  return (
    <button
      type="button"
      role="combobox"
      aria-label={step.label}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-controls={panel}
      data-value={step.value}
      title={chosen?.facts ? `${step.label}: ${chosen.facts.full}` : step.label}
      onClick={(event) => onOpen(event.currentTarget)}
      onKeyDown={onKeyDown}
      className={classes(
        "inline-flex h-7 max-w-64 min-w-0 items-center gap-1 rounded-md px-1.5 text-sm hover:bg-hover aria-expanded:bg-hover pointer-coarse:h-11",
        className,
      )}
    >
      <span className="truncate">{chosenText(step)}</span>
      <ChevronDown size={12} aria-hidden="true" className="shrink-0 text-faint" />
    </button>
  );
}

const MARGIN = 8;

/** Below the combobox, or above it if there is more room. On a narrow screen the style sheet makes it a sheet. */
function place(panel: HTMLDivElement | null, anchor: RefObject<HTMLButtonElement | null>): void {
  const box = anchor.current?.getBoundingClientRect();
  if (!panel || !box) return;
  for (const side of ["left", "top", "bottom", "maxHeight"] as const) panel.style[side] = "";
  if (matchMedia("(max-width: 639px)").matches) return;
  const above = box.top - 2 * MARGIN;
  const below = innerHeight - box.bottom - 2 * MARGIN;
  const isAbove = below < Math.min(panel.scrollHeight, 360) && above > below;
  panel.style.left = `${Math.max(MARGIN, Math.min(box.left, innerWidth - panel.offsetWidth - MARGIN))}px`;
  if (isAbove) panel.style.bottom = `${innerHeight - box.top + 4}px`;
  else panel.style.top = `${box.bottom + 4}px`;
  panel.style.maxHeight = `${Math.min(440, isAbove ? above : below)}px`;
}
