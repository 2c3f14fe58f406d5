import { readFileSync } from "node:fs";
import { normalizeChord } from "@gantry/terminal";

/** The actions with their default chords. */
export const ACTIONS = {
  "app.interrupt": { chords: ["esc"], about: "stop the run" },
  "app.clear": { chords: ["ctrl+c"], about: "clear the input; twice: quit" },
  "app.exit": { chords: ["ctrl+d"], about: "quit, if the input is empty" },
  "app.thinking.cycle": { chords: ["shift+tab"], about: "change the thinking level" },
  "app.thinking.toggle": { chords: ["ctrl+t"], about: "show or hide thinking" },
  "app.model.cycleForward": { chords: ["ctrl+p"], about: "next model" },
  "app.model.cycleBackward": { chords: ["ctrl+shift+p"], about: "previous model" },
  "app.model.select": { chords: ["ctrl+l"], about: "choose the model, also for new sessions" },
  "app.model.selectTemporary": { chords: ["alt+p"], about: "choose the model of this session" },
  "app.history.search": { chords: ["ctrl+r"], about: "search the prompt history" },
  "app.editor.external": { chords: ["ctrl+g"], about: "edit the input in your editor" },
  "app.clipboard.pasteImage": { chords: ["ctrl+v"], about: "attach the image on the clipboard" },
  "app.clipboard.copyLine": { chords: ["alt+shift+l"], about: "copy the line" },
  "app.clipboard.copyPrompt": { chords: ["alt+shift+c"], about: "copy the input" },
  "app.suspend": { chords: ["ctrl+z"], about: "suspend; fg resumes" },
  "app.session.new": { chords: [], about: "new session" },
  "app.session.tree": { chords: [], about: "return to a message" },
  "app.session.resume": { chords: [], about: "resume another session" },
  "app.tools.expand": { chords: ["ctrl+o"], about: "show all of the last output; more of a running command" },
  "app.message.followUp": { chords: ["alt+enter", "ctrl+enter"], about: "send after the run" },
  "app.message.dequeue": { chords: ["alt+up"], about: "return queued messages to the input" },
  "app.plan.toggle": { chords: ["alt+shift+p"], about: "plan mode on or off" },
  "tui.input.submit": { chords: ["enter"], about: "send; during a run: steer it" },
  "tui.input.newLine": { chords: ["shift+enter", "ctrl+j"], about: "new line" },
  "tui.input.tab": { chords: ["tab"], about: "complete @file and /command" },
  "tui.editor.cursorLeft": { chords: ["left", "ctrl+b"], about: "" },
  "tui.editor.cursorRight": { chords: ["right", "ctrl+f"], about: "" },
  "tui.editor.cursorWordLeft": { chords: ["alt+left", "ctrl+left", "alt+b"], about: "" },
  "tui.editor.cursorWordRight": { chords: ["alt+right", "ctrl+right", "alt+f"], about: "" },
  "tui.editor.cursorLineStart": { chords: ["home", "ctrl+a"], about: "" },
  "tui.editor.cursorLineEnd": { chords: ["end", "ctrl+e"], about: "" },
  "tui.editor.cursorUp": { chords: ["up"], about: "earlier prompt" },
  "tui.editor.cursorDown": { chords: ["down"], about: "later prompt" },
  "tui.editor.deleteCharBackward": { chords: ["backspace"], about: "" },
  "tui.editor.deleteCharForward": { chords: ["delete"], about: "" },
  "tui.editor.deleteWordBackward": { chords: ["ctrl+w", "alt+backspace", "ctrl+backspace"], about: "" },
  "tui.editor.deleteToLineStart": { chords: ["ctrl+u"], about: "" },
  "tui.editor.deleteToLineEnd": { chords: ["ctrl+k"], about: "" },
} as const satisfies Record<string, { chords: readonly string[]; about: string }>;

export type ActionId = keyof typeof ACTIONS;

/** Former names of actions, without a namespace. */
const OLD_NAMES: Record<string, ActionId> = {
  interrupt: "app.interrupt",
  clear: "app.clear",
  exit: "app.exit",
  suspend: "app.suspend",
  cycleThinkingLevel: "app.thinking.cycle",
  toggleThinking: "app.thinking.toggle",
  cycleModelForward: "app.model.cycleForward",
  cycleModelBackward: "app.model.cycleBackward",
  selectModel: "app.model.select",
  expandTools: "app.tools.expand",
  externalEditor: "app.editor.external",
  followUp: "app.message.followUp",
  dequeue: "app.message.dequeue",
  historySearch: "app.history.search",
};
/** Actions of other programs that share this file format. They are ignored without an error. */
const FOREIGN_ACTIONS = /^app\.(stt|jobs|session\.|tree\.)/;

export type Bindings = {
  actionOf(chord: string): ActionId | undefined;
  chordsOf(action: ActionId): readonly string[];
  /** Invalid entries of the file, as text. */
  problems: string[];
};

/** Reads the user's bindings: an object of action to chord or chords. An empty list unbinds. The file is optional. */
export function readBindings(file: string): Bindings {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return bindingsOf({}, []);
  }
  try {
    return readObject(file, JSON.parse(text));
  } catch (error) {
    return bindingsOf({}, [`${file}: ${(error as Error).message}`]);
  }
}

function readObject(file: string, raw: unknown): Bindings {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return bindingsOf({}, [`${file}: must be an object of actions and their chords`]);
  }
  const problems: string[] = [];
  const chosen: Partial<Record<ActionId, string[]>> = {};
  for (const [name, value] of Object.entries(raw)) {
    const action = Object.hasOwn(OLD_NAMES, name) ? (OLD_NAMES[name] as string) : name;
    const chords = typeof value === "string" ? [value] : value;
    if (!Object.hasOwn(ACTIONS, action)) {
      if (!FOREIGN_ACTIONS.test(action)) problems.push(`${file}: there is no action ${action}`);
    } else if (!Array.isArray(chords) || !chords.every((chord) => typeof chord === "string")) {
      problems.push(`${file}: ${action} must be a chord or a list of chords`);
    } else chosen[action as ActionId] = chords.map(normalizeChord);
  }
  return bindingsOf(chosen, problems);
}

function bindingsOf(chosen: Partial<Record<ActionId, string[]>>, problems: string[]): Bindings {
  const chordsOf = (action: ActionId) => chosen[action] ?? ACTIONS[action].chords;
  const byChord = new Map<string, ActionId>();
  // The user's binding wins over the default of another action.
  const actions = Object.keys(ACTIONS) as ActionId[];
  for (const action of actions) if (!chosen[action]) for (const chord of chordsOf(action)) byChord.set(chord, action);
  for (const action of actions) if (chosen[action]) for (const chord of chordsOf(action)) byChord.set(chord, action);
  return { actionOf: (chord) => byChord.get(chord), chordsOf, problems };
}
