import type { Model, ModelRegistry } from "@gantry/models";
import { findCut } from "../../compaction/cut.ts";
import { contextTokens } from "../../compaction/estimate.ts";
import { findPrunable } from "../../compaction/prune.ts";
import { type AskText, summarise } from "../../compaction/summarise.ts";
import { compactionThreshold } from "../../compaction/threshold.ts";
import { formatTouchedFiles, touchedFiles } from "../../compaction/touched-files.ts";
import { errorText } from "../../contract/errors.ts";
import type { AgentEvent, CompactionReason } from "../../contract/events.ts";
import type { Hooks } from "../../contract/hooks.ts";
import { type CompactionResult, SessionError } from "../../contract/session.ts";
import type { Settings } from "../../settings/schema.ts";
import type { Upkeep } from "../drive/driver.ts";
import { type ModelChoice, modelName } from "../state/model-choice.ts";
import type { Transcript } from "../state/transcript.ts";

export const TOO_SMALL = "Nothing to compact (session too small)";

/** After an overflow or on request, something must be summarised, however short the conversation is. */
const LEAST_KEPT: Partial<Record<CompactionReason, number>> = { overflow: 100, manual: 1 };

export type CompactorParts = {
  transcript: Transcript;
  choice: ModelChoice;
  registry: ModelRegistry;
  settings: Settings;
  emit(event: AgentEvent): void;
  /** Tokens of the system prompt and the tools. */
  countFixedTokens(): number;
  ask: AskText;
  /** Continues in a new session that starts with a handoff document; see compaction/handoff.ts. */
  handoff(signal: AbortSignal): Promise<unknown>;
  /** Hooks that may cancel a compaction, or add instructions for the summary. */
  before?: Hooks["beforeCompaction"];
};

/** Keeps the conversation within the model's context window. */
export class Compactor implements Upkeep {
  readonly #parts: CompactorParts;
  #busy = false;
  /** After a failed compaction, the next one waits until the conversation has grown by 10 %. */
  #notBefore = 0;

  constructor(parts: CompactorParts) {
    this.#parts = parts;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** `tokens` is null before the first message: counting needs the schemas of all tools, which are not built yet. */
  usage(): { tokens: number | null; contextWindow: number; percent: number | null } | undefined {
    const { choice, transcript } = this.#parts;
    if (!choice.model) return undefined;
    const { contextWindow } = choice.model;
    if (transcript.messages.length === 0) return { tokens: null, contextWindow, percent: null };
    const tokens = this.#tokens();
    return { tokens, contextWindow, percent: contextWindow > 0 ? (tokens / contextWindow) * 100 : 0 };
  }

  due(): boolean {
    const { choice, settings } = this.#parts;
    if (!settings.compaction.enabled || settings.compaction.strategy === "off" || !choice.model) return false;
    const tokens = this.#tokens();
    if (tokens <= Math.max(compactionThreshold(choice.model, settings.compaction), this.#notBefore)) return false;
    return findPrunable(this.#parts.transcript.messages).length > 0 || this.#cut(choice.model) !== undefined;
  }

  async makeRoom(reason: "threshold" | "overflow" | "idle", willRetry: boolean, signal: AbortSignal): Promise<boolean> {
    const { settings } = this.#parts;
    if (reason === "overflow" && this.#promote()) return true;
    if (!settings.compaction.enabled || settings.compaction.strategy === "off") return false;
    if (this.#prune() && reason !== "idle" && !this.due()) return true;
    const action = settings.compaction.strategy === "handoff" && reason !== "overflow" ? "handoff" : "context-full";
    return await this.#runWithEvents(reason, action, willRetry, signal, () =>
      action === "handoff" ? this.#parts.handoff(signal) : this.#compact(reason, undefined, signal),
    );
  }

  /** Compacts on request. Rejects with a `SessionError`. */
  async compact(instructions: string | undefined, signal: AbortSignal): Promise<CompactionResult> {
    let result: CompactionResult | undefined;
    let failure: unknown;
    await this.#runWithEvents("manual", "context-full", false, signal, async () => {
      try {
        result = await this.#compact("manual", instructions, signal);
        return result;
      } catch (error) {
        failure = error;
        throw error;
      }
    });
    if (result) return result;
    if (signal.aborted) throw new SessionError("Compaction cancelled");
    throw failure instanceof SessionError ? failure : new SessionError(errorText(failure));
  }

  /** Switches temporarily to a model with a larger context window. */
  #promote(): boolean {
    const { settings, choice, registry, emit } = this.#parts;
    const from = choice.model;
    const to = settings.contextPromotion.enabled && from ? registry.promotion(from) : undefined;
    if (!from || !to) return false;
    choice.setTemporarily(to, "context promotion");
    emit({ type: "context_promoted", from: modelName(from), to: modelName(to) });
    return true;
  }

  #prune(): boolean {
    const { transcript } = this.#parts;
    const ids = findPrunable(transcript.messages).flatMap((place) => transcript.entryIds[place] ?? []);
    if (ids.length > 0) transcript.prune(ids, Date.now());
    return ids.length > 0;
  }

  /** Publishes the start and the end of `work`, whatever its outcome. */
  async #runWithEvents(
    reason: CompactionReason,
    action: "context-full" | "handoff",
    willRetry: boolean,
    signal: AbortSignal,
    work: () => Promise<unknown>,
  ): Promise<boolean> {
    const { emit } = this.#parts;
    this.#busy = true;
    emit({ type: "auto_compaction_start", reason, action });
    try {
      const result = await work();
      this.#busy = false;
      emit({ type: "auto_compaction_end", action, result, aborted: false, willRetry });
      return true;
    } catch (error) {
      this.#busy = false;
      this.#notBefore = this.#tokens() * 1.1;
      const { aborted } = signal;
      const skipped = errorText(error) === TOO_SMALL ? { skipped: true } : {};
      const errorMessage = aborted ? {} : { errorMessage: errorText(error) };
      emit({ type: "auto_compaction_end", action, aborted, willRetry: false, ...errorMessage, ...skipped });
      return false;
    }
  }

  async #compact(
    reason: CompactionReason,
    instructions: string | undefined,
    signal: AbortSignal,
  ): Promise<CompactionResult> {
    const { transcript, choice, settings, ask } = this.#parts;
    const model = choice.require();
    const ruling = await this.#parts.before?.(reason, signal);
    if (ruling?.cancel !== undefined) throw new SessionError(`A hook cancelled the compaction. ${ruling.cancel}`);
    const wishes = [instructions, ruling?.instructions].filter((text) => text !== undefined).join("\n") || undefined;
    const messages = [...transcript.messages];
    const cut = this.#cut(model, LEAST_KEPT[reason]);
    const firstKeptEntryId = cut && transcript.entryIds[cut.recentFrom];
    if (!cut || firstKeptEntryId === undefined) throw new SessionError(TOO_SMALL);
    const tokensBefore = this.#tokens();
    const earlier = messages[0]?.role === "compactionSummary" ? withoutFiles(messages[0].summary) : undefined;
    const room = Math.max(8_000, model.contextWindow - settings.compaction.reserveTokens);
    const summary = await summarise(cut, { earlier, instructions: wishes, mostCharacters: room * 2 }, ask, signal);
    if (signal.aborted) throw new SessionError("Compaction cancelled");
    const files = touchedFiles([...cut.history, ...cut.turnPrefix], this.#earlierDetails());
    const text = [summary.text, formatTouchedFiles(files)].filter((part) => part !== "").join("\n\n");
    transcript.recordUsage(summary.usage);
    const result = { summary: text, shortSummary: shortOf(text), firstKeptEntryId, tokensBefore, details: files };
    transcript.store.append({ type: "compaction", ...result });
    transcript.reload();
    this.#notBefore = 0;
    return { ...result, usage: summary.usage };
  }

  /** Keeps the configured number of tokens, or halves it down to `least` while there is nothing to summarise. */
  #cut(model: Model, least?: number) {
    const { transcript, settings } = this.#parts;
    let keep = Math.min(settings.compaction.keepRecentTokens, Math.floor(model.contextWindow / 4));
    let cut = findCut(transcript.messages, keep);
    while (least !== undefined && !cut && keep > least) {
      keep = Math.floor(keep / 2);
      cut = findCut(transcript.messages, keep);
    }
    return cut;
  }

  #tokens(): number {
    return contextTokens(this.#parts.transcript.messages, this.#parts.countFixedTokens());
  }

  #earlierDetails(): unknown {
    const last = this.#parts.transcript.store.path().findLast((entry) => entry.type === "compaction");
    return last?.type === "compaction" ? last.details : undefined;
  }
}

/** The file lists at the end of a summary are rebuilt each time. */
function withoutFiles(summary: string): string {
  const at = summary.search(/\n*<(?:read|modified)-files>\n/);
  return at < 0 ? summary : summary.slice(0, at);
}

function shortOf(summary: string): string {
  const line = summary.split("\n").find((each) => each.trim() !== "" && !each.startsWith("#")) ?? "";
  return line.trim().slice(0, 200);
}
