import type { Model, StreamEvent } from "@gantry/models";
import { estimateTextTokens } from "../../compaction/estimate.ts";
import { SUMMARISER } from "../../compaction/prompts.ts";
import type { AskText } from "../../compaction/summarise.ts";
import { systemPrompt } from "../../prompt/system.ts";
import type { Settings } from "../../settings/schema.ts";
import { requestText } from "../context/request-text.ts";
import { askModel, type ModelQuery } from "../drive/ask-model.ts";
import { withIntent } from "../drive/intent.ts";
import { imageLimitsOf } from "../images/limits.ts";
import type { SessionOptions } from "../options.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { State } from "./state.ts";

/** Facts about the environment, read once at the start of a session. */
export type SessionEnvironment = { day: string; platform: string; gitBranch?: string };

export type Requests = ReturnType<typeof createRequests>;

/** Builds the model requests of a session: the conversation with its system prompt and tools, and summary requests. */
export function createRequests(
  options: SessionOptions,
  state: State,
  toolbox: Toolbox,
  surroundings: SessionEnvironment,
) {
  const { settings, place, transcript, choice, permission } = state;
  const system = () =>
    systemPrompt({
      ...surroundings,
      ...(options.systemPrompt === undefined ? {} : { custom: options.systemPrompt }),
      ...(options.appendSystemPrompt === undefined ? {} : { append: options.appendSystemPrompt }),
      tools: toolbox.listTools(),
      schemes: toolbox.schemes(),
      rules: options.rules?.system() ?? [],
      mode: permission.mode,
      cwd: place.cwd,
      folders: place.folders,
    });
  const countFixedTokens = () =>
    estimateTextTokens(system().join("\n")) + estimateTextTokens(JSON.stringify(toolbox.listOffered()));
  /** Requests an answer from the current model, with the conversation's system prompt and tools. */
  const ask = (question: Pick<ModelQuery, "messages" | "signal" | "toolChoice">, model: Model = choice.require()) =>
    askWithHooks(options, model, {
      ...question,
      ...readSampling(settings),
      system: system(),
      tools: toolbox.listOffered().map((spec) => (settings.tools.intentTracing ? withIntent(spec) : spec)),
      thinking: options.registry.clamp(model, choice.thinking),
      sessionId: transcript.store.header.id,
    });
  return { system, countFixedTokens, ask, askText: textQuestion(options, state) };
}

/** Hooks may change the system prompt and the messages of this request, but not the stored conversation. */
async function* askWithHooks(options: SessionOptions, model: Model, query: ModelQuery): AsyncGenerator<StreamEvent> {
  const changed = await options.hooks?.beforeRequest?.(
    { system: query.system, messages: query.messages },
    query.signal,
  );
  const messages = await withFittingImages(changed?.messages ?? query.messages, model);
  yield* askModel(options, model, { ...query, ...changed, messages });
}

/** The code that scales images is loaded for the first image. */
async function withFittingImages(messages: ModelQuery["messages"], model: Model): Promise<ModelQuery["messages"]> {
  const hasImage = messages.some(
    ({ content }) => typeof content !== "string" && content.some((block) => block.type === "image"),
  );
  if (!hasImage) return messages;
  const { fitImages } = await import("../images/fit-images.ts");
  return fitImages(messages, imageLimitsOf(model));
}

/** Requests a summary, without tools and with as little thinking as possible. */
function textQuestion(options: SessionOptions, { settings, transcript, choice }: State): AskText {
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
    return requestText({ signal }, () => askModel(options, model, question), settings.retry, options.guard);
  };
}

function readSampling(settings: Settings): { temperature?: number; topP?: number } {
  return {
    ...(settings.temperature >= 0 ? { temperature: settings.temperature } : {}),
    ...(settings.topP >= 0 ? { topP: settings.topP } : {}),
  };
}
