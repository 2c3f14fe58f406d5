import { forgetUnread } from "./reading/unread.ts";
import type { Injection } from "./state.ts";
import type { SessionStep } from "./step.ts";

/** Messages that a process got are remembered up to this number. */
const MAX_PROMPTED = 50;

/**
 * Derives prompts from the state: the conversation is open, a turn runs, and a message of the turn was not sent to this
 * process. Called after each frame and at the end of each step.
 */
export function sendPrompts(step: SessionStep): void {
  const { conversation } = step;
  if (!conversation) return;
  forgetRequeued(step);
  const { turn } = step.view;
  // A process that is about to end gets no prompt: the next one does, and it may be another agent's.
  if (!turn || !conversation.ready || conversation.closing || conversation.channel.perTurn || step.stopsSending) return;
  for (const entry of step.view.sent) {
    if (entry.turn !== turn.id || conversation.prompted.includes(entry.message)) continue;
    const { message, tries } = entry;
    const text = withContext(step, entry.text);
    const attachments = step.context.loadAttachments?.(entry.attachments) ?? entry.attachments;
    step.sendCommand({ type: "prompt", message, text, attachments, ...(tries ? { tries } : {}) });
    conversation.prompted = [...conversation.prompted.slice(-MAX_PROMPTED), message];
    forgetUnread(conversation);
    step.signals.prompted = true;
  }
}

/** A message that is queued again is sent again. */
function forgetRequeued({ conversation, view }: SessionStep): void {
  if (!conversation || view.queue.length === 0 || conversation.prompted.length === 0) return;
  const prompted = conversation.prompted.filter((message) => !view.queue.some((entry) => entry.message === message));
  if (prompted.length < conversation.prompted.length) conversation.prompted = prompted;
}

/** Puts the preface of a new conversation, or pinned context that must be repeated, before the prompt. */
function withContext(step: SessionStep, prompt: string): string {
  const { conversation } = step;
  if (!conversation || isSlashCommand(prompt)) return prompt;
  const { preface } = conversation;
  if (preface) {
    step.signals.prefaced = true;
    if (conversation.pinnedHash) step.signals.injected = { hash: conversation.pinnedHash, seq: step.view.lastSeq };
    conversation.preface = undefined;
    conversation.pinnedHash = undefined;
    return withPreface(prompt, preface);
  }
  const injection = step.context.nextInjection?.(step.view, conversation.channel);
  if (!injection) return prompt;
  step.signals.injected = injection.injected;
  step.emit("notice", injectionNotice(injection));
  return withPreface(prompt, injection.text);
}

/** A slash command goes to the agent unchanged. A path such as `/usr/bin` is not one. */
export function isSlashCommand(text: string): boolean {
  return /^\/[A-Za-z][\w:.-]*(\s|$)/.test(text);
}

/** The preface before the prompt. A slash command gets none. */
export function withPreface(prompt: string, preface: string | undefined): string {
  return preface && !isSlashCommand(prompt) ? `${preface}\n\n${prompt}` : prompt;
}

/** The log holds only the user's own part of a prompt, so an injection gets a notice. */
export function injectionNotice({ reason }: Pick<Injection, "reason">) {
  const text = `The agent got its pinned context again: ${reason}.`;
  return { kind: "standing", severity: "info" as const, text };
}
