import type { PromptHistory } from "@gantry/terminal";
import type { AgentScreen } from "./agent-screen.ts";
import type { CommandContext } from "./command-context.ts";
import { modelChoices } from "./menus/model-menu.ts";
import type { ActionId } from "./typing/bindings.ts";
import { copyToClipboard } from "./typing/read-input.ts";
import type { TranscriptView } from "./view/transcript.ts";

/** What actions can use of the terminal. */
type Hands = {
  context: CommandContext;
  view: TranscriptView;
  screen: AgentScreen;
  history: PromptHistory;
  /** Runs work and prints its error. */
  attempt(work: () => Promise<unknown>): void;
  interrupt(): void;
  clear(): void;
  expand(): void;
  remark(text: string): void;
  suspend(): void;
  editElsewhere(): Promise<void>;
  pasteImage(): Promise<void>;
  sendAfterRun(): void;
  runCommand(name: string): Promise<void>;
};

/** Performs an action of a key. Editing actions are those of the input field. */
export function performAction(action: ActionId, hands: Hands): void {
  const { context, view, attempt } = hands;
  const { session } = context.agent;
  switch (action) {
    case "app.interrupt":
      return hands.interrupt();
    case "app.clear":
      return hands.clear();
    case "app.exit":
      return context.quit();
    case "app.suspend":
      return hands.suspend();
    case "app.thinking.cycle":
      return attempt(async () => session.cycleThinkingLevel());
    case "app.thinking.toggle":
      view.thinking = !view.thinking;
      return hands.remark(`Thinking is ${view.thinking ? "shown" : "hidden"}.`);
    case "app.tools.expand":
      return hands.expand();
    case "app.plan.toggle":
      return session.setMode(session.state().mode === "plan" ? "ask" : "plan");
    case "app.message.dequeue":
      return hands.screen.insert(Object.values(session.clearQueue()).flat().join("\n"));
    case "app.message.followUp":
      return hands.sendAfterRun();
    default:
      return performMenuAction(action, hands);
  }
}

/** Actions that change the model, the session or the prompt. */
function performMenuAction(action: ActionId, { context, screen, history, attempt, ...hands }: Hands): void {
  const { session } = context.agent;
  switch (action) {
    case "app.model.cycleForward":
      return attempt(() => session.cycleModel());
    case "app.model.cycleBackward":
      return attempt(() => session.cycleModel(-1));
    case "app.model.select":
      return context.pick("Model or preset, also for new sessions", modelChoices(context, { persist: true }));
    case "app.model.selectTemporary":
      return context.pick("Model or preset", modelChoices(context, { persist: false }));
    case "app.history.search": {
      const texts = [...new Set(history.texts.toReversed())];
      const choices = texts.map((text) => ({ label: text, pick: () => context.edit(text) }));
      return context.pick("Prompt history", choices);
    }
    case "app.editor.external":
      return attempt(hands.editElsewhere);
    case "app.clipboard.pasteImage":
      return attempt(hands.pasteImage);
    case "app.clipboard.copyLine":
      return copyToClipboard(screen.line);
    case "app.clipboard.copyPrompt":
      return copyToClipboard(screen.text);
    case "app.session.new":
    case "app.session.tree":
    case "app.session.resume":
      return attempt(() => hands.runCommand(action.slice("app.session.".length)));
  }
}
