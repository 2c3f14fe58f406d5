import { stripControls } from "@gantry/terminal";
import type { Person } from "../../contract/ports.ts";
import type { DialogOptions, UserInterface } from "../../contract/ui.ts";

/** What extensions show next to the input: texts in the status line, and lines above or below it. */
export type ExtensionRows = { status: string[]; above: string[]; below: string[] };

type Hands = {
  person: Pick<Person, "ask">;
  /** Runs `work` so that the interrupt key aborts its signal. */
  runCancellable<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  notify(text: string, level: "info" | "warning" | "error"): void;
  setTitle(title: string): void;
  edit(text: string): void;
  /** The text with which the next question starts. */
  prefill(text: string): void;
  draw(): void;
};

const MOST_LINES = 8;

/** The user interface of extensions in the terminal. Dialogs are questions; the interrupt key cancels one. */
export function createTerminalUi(hands: Hands): UserInterface & { rows(): ExtensionRows } {
  const statuses = new Map<string, string>();
  const widgets = new Map<string, { lines: string[]; isBelow: boolean }>();
  const ask = async (question: string, labels: readonly string[], { signal, timeoutMs }: DialogOptions = {}) => {
    const answers = await hands.runCancellable((cancelled) => {
      const limits = timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)];
      const all = AbortSignal.any([cancelled, ...(signal ? [signal] : []), ...limits]);
      const options = labels.map((label) => ({ label }));
      return hands.person.ask([{ id: "answer", question, options }], all);
    });
    return answers?.[0];
  };
  const text = async (title: string, hint: string | undefined, dialog?: DialogOptions) => {
    const answer = await ask(hint ? `${title} (${hint})` : title, [], dialog);
    return answer?.other ?? answer?.selected[0];
  };
  const clean = (line: string) => stripControls(String(line)).replaceAll("\n", " ");
  return {
    select: async (title, options, dialog) => (await ask(title, options, dialog))?.selected[0],
    confirm: async (title, message, dialog) =>
      (await ask(`${title}\n${message}`, ["Yes", "No"], dialog))?.selected[0] === "Yes",
    input: (title, placeholder, dialog) => text(title, placeholder, dialog),
    editor(title, prefill, dialog) {
      if (prefill) hands.prefill(stripControls(prefill));
      return text(title, undefined, dialog);
    },
    notify: (message, level = "info") => hands.notify(stripControls(String(message)), level),
    setStatus(key, value) {
      if (value === undefined) statuses.delete(key);
      else statuses.set(key, clean(value));
      hands.draw();
    },
    setWidget(key, lines, placement) {
      if (lines === undefined) widgets.delete(key);
      else widgets.set(key, { lines: lines.slice(0, MOST_LINES).map(clean), isBelow: placement === "belowEditor" });
      hands.draw();
    },
    setTitle: (title) => hands.setTitle(clean(title)),
    setEditorText(value) {
      hands.edit(stripControls(String(value)));
      hands.draw();
    },
    rows: () => ({
      status: [...statuses.values()],
      above: [...widgets.values()].flatMap(({ lines, isBelow }) => (isBelow ? [] : lines)),
      below: [...widgets.values()].flatMap(({ lines, isBelow }) => (isBelow ? lines : [])),
    }),
  };
}
