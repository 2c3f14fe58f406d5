import { type Choice, EditBuffer, Picker } from "@gantry/terminal";
import type { Key } from "./agent-screen.ts";
import type { Prompting } from "./terminal-person.ts";
import type { ActionId, Bindings } from "./typing/bindings.ts";
import { pressMenuKey } from "./typing/read-input.ts";

type Hands = {
  bindings: Pick<Bindings, "actionOf">;
  /** Performs an action that is not part of the dialog. */
  act(action: ActionId): void;
  /** Runs the choice of a menu and prints its error. */
  choose(choice: Choice): void;
};

/** The menu or the question that takes the place of the input field, with what is typed into it. */
export class Dialogs {
  picker: Picker | undefined;
  prompting: Prompting | undefined;
  readonly answer = new EditBuffer();
  /** The text with which the next question starts. */
  prefill = "";

  get isOpen(): boolean {
    return this.picker !== undefined || this.prompting !== undefined;
  }

  pick(title: string, choices: readonly Choice[]): void {
    this.picker = new Picker(title, choices);
  }

  show(prompting: Prompting | undefined): void {
    this.prompting = prompting;
    this.answer.set(prompting ? this.prefill : "");
    if (prompting) this.prefill = "";
  }

  /** Handles every key while a dialog is open. */
  press(key: Key, hands: Hands): void {
    if (this.picker) this.#pressInMenu(this.picker, key, hands);
    else if (this.prompting) this.#pressInQuestion(this.prompting, key, hands);
  }

  #pressInMenu(picker: Picker, key: Key, { choose }: Hands): void {
    if ("text" in key) return picker.type(key.text);
    const end = pressMenuKey(picker, key.chord);
    if (end) this.picker = undefined;
    if (end === "chosen" && picker.chosen) choose(picker.chosen);
  }

  #pressInQuestion(prompting: Prompting, key: Key, { bindings, act }: Hands): void {
    const { answer } = this;
    if (answer.text === "" && prompting.key?.("text" in key ? key.text : key.chord)) return;
    if ("text" in key) {
      if (prompting.line) answer.insert(key.text);
      return;
    }
    const action = bindings.actionOf(key.chord);
    if (action === "tui.input.submit") this.#submit(prompting);
    else if (action === "app.clear" && answer.text !== "") answer.set("");
    else if (action === "app.interrupt" || action === "app.clear") act(action);
    else if (action && prompting.line) answer.act(action);
  }

  #submit({ line, secret }: Prompting): void {
    if (line && this.answer.text !== "") line(this.answer.submit(secret === true));
  }
}
