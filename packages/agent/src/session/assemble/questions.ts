import type { Model } from "@gantry/models";
import { ofText } from "../../compaction/estimate.ts";
import type { AskText } from "../../compaction/summarise.ts";
import { SUMMARISER } from "../../compaction/wording.ts";
import { systemPrompt } from "../../prompt/system.ts";
import type { Settings } from "../../settings/schema.ts";
import { askForText } from "../context/asking.ts";
import { askModel, type ModelQuestion } from "../drive/asking.ts";
import { withIntent } from "../drive/intent.ts";
import type { AgentSessionOptions } from "../options.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { State } from "./state.ts";

/** What was looked at once, at the start. */
export type Surroundings = { day: string; platform: string; gitBranch?: string };

export type Questions = ReturnType<typeof questionsOf>;

/** What models are asked, and with which words around it. */
export function questionsOf(options: AgentSessionOptions, state: State, toolbox: Toolbox, surroundings: Surroundings) {
  const { settings, place, transcript, choice, permission } = state;
  const system = () =>
    systemPrompt({
      ...surroundings,
      ...(options.systemPrompt === undefined ? {} : { custom: options.systemPrompt }),
      ...(options.appendSystemPrompt === undefined ? {} : { append: options.appendSystemPrompt }),
      tools: toolbox.all(),
      schemes: toolbox.schemes(),
      rules: options.rules?.system() ?? [],
      mode: permission.mode,
      cwd: place.cwd,
      folders: place.folders,
    });
  const fixed = () => ofText(system().join("\n")) + ofText(JSON.stringify(toolbox.offered()));
  /** Asks the model that is chosen now, as the conversation does. */
  const ask = (question: Pick<ModelQuestion, "messages" | "signal" | "toolChoice">, model: Model = choice.require()) =>
    askModel(options, model, {
      ...question,
      ...sampling(settings),
      system: system(),
      tools: toolbox.offered().map((spec) => (settings.tools.intentTracing ? withIntent(spec) : spec)),
      thinking: options.registry.clamp(model, choice.thinking),
      sessionId: transcript.store.header.id,
    });
  return { system, fixed, ask, askText: textQuestion(options, state) };
}

/** Asks for a summary: no tools, little thinking. */
function textQuestion(options: AgentSessionOptions, { settings, transcript, choice }: State): AskText {
  return (prompt, signal) => {
    const model = choice.require();
    const question = {
      system: [SUMMARISER],
      messages: [{ role: "user" as const, content: prompt, timestamp: Date.now() }],
      tools: [],
      thinking: options.registry.clamp(model, "off"),
      maxTokens: Math.min(model.maxTokens, Math.floor(settings.compaction.reserveTokens * 0.8)),
      sessionId: transcript.store.header.id,
      signal,
    };
    return askForText({ signal }, () => askModel(options, model, question), settings.retry, options.guard);
  };
}

function sampling(settings: Settings): { temperature?: number; topP?: number } {
  return {
    ...(settings.temperature >= 0 ? { temperature: settings.temperature } : {}),
    ...(settings.topP >= 0 ? { topP: settings.topP } : {}),
  };
}
