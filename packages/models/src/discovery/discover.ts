import { z } from "zod";
import type { Model } from "../model.ts";
import { type DiscoveryRequest, fetchJson, makeModel } from "./request.ts";
import type { DiscoveryTarget } from "./targets.ts";
import { listAnthropic, listGoogle } from "./vendor-lists.ts";

/** The models of a provider, or why they are unknown. */
export type DiscoveryResult = { ok: true; models: Model[] } | { ok: false; message: string };

/** Maximum concurrent requests to one server. */
const CONCURRENCY = 4;

/** Queries a provider for its models. Never rejects. */
export async function discover(target: DiscoveryTarget, request: DiscoveryRequest): Promise<DiscoveryResult> {
  try {
    const models = await LIST_MODELS[target.type](target, request);
    const once = new Map(models.map((model) => [model.id, model]));
    return { ok: true, models: [...once.values()] };
  } catch (error) {
    return { ok: false, message: errorText(error) };
  }
}

const LIST_MODELS: Record<
  DiscoveryTarget["type"],
  (target: DiscoveryTarget, request: DiscoveryRequest) => Promise<Model[]>
> = {
  ollama: listOllama,
  "llama.cpp": listLlamaCpp,
  "lm-studio": listLmStudio,
  "openai-models-list": listOpenAi,
  "anthropic-models-list": listAnthropic,
  "google-models-list": listGoogle,
};

const tags = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });
const shown = z.object({
  capabilities: z.array(z.string()).optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
});

async function listOllama(target: DiscoveryTarget, request: DiscoveryRequest): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const { models } = tags.parse(await fetchJson(`${base}/api/tags`, target, request));
  const baseUrl = target.api === "ollama-chat" ? base : `${base}/v1`;
  const made = await mapConcurrently(models, async ({ name }) => {
    const about = await fetchJson(`${base}/api/show`, target, request, { model: name }).then(
      (answer) => shown.safeParse(answer).data,
      () => undefined,
    );
    const can = about?.capabilities ?? ["completion"];
    if (!can.includes("completion")) return [];
    return [
      makeModel(target, baseUrl, name, {
        reasoning: can.includes("thinking"),
        image: can.includes("vision"),
        contextWindow: contextLength(about?.model_info),
      }),
    ];
  });
  return made.flat();
}

/** The key is prefixed with the model family: `llama.context_length`, `qwen3.context_length`. */
function contextLength(info: Record<string, unknown> | undefined): number | undefined {
  const [, length] = Object.entries(info ?? {}).find(([key]) => key.endsWith(".context_length")) ?? [];
  return typeof length === "number" ? length : undefined;
}

const props = z.object({
  default_generation_settings: z.object({ n_ctx: z.number() }).optional(),
  modalities: z.object({ vision: z.boolean().optional() }).optional(),
});

async function listLlamaCpp(target: DiscoveryTarget, request: DiscoveryRequest): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const listed = list.parse(await fetchJson(`${base}/v1/models`, target, request));
  const about = await fetchJson(`${base}/props`, target, request).then(
    (answer) => props.safeParse(answer).data,
    () => undefined,
  );
  return entriesOf(listed).map(({ id, meta }) =>
    makeModel(target, `${base}/v1`, id, {
      contextWindow: about?.default_generation_settings?.n_ctx ?? meta?.n_ctx_train,
      image: about?.modalities?.vision ?? false,
    }),
  );
}

const studio = z.object({
  data: z.array(
    z.object({ id: z.string().min(1), type: z.string().optional(), max_context_length: z.number().optional() }),
  ),
});

async function listLmStudio(target: DiscoveryTarget, request: DiscoveryRequest): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "");
  const listed = list.parse(await fetchJson(`${base}/models`, target, request));
  // Only LM Studio's native list has the context length and the type of a model.
  const about = await fetchJson(`${base.replace(/\/v1$/, "")}/api/v0/models`, target, request).then(
    (answer) => new Map((studio.safeParse(answer).data?.data ?? []).map((entry) => [entry.id, entry])),
    () => new Map<string, z.infer<typeof studio>["data"][number]>(),
  );
  return entriesOf(listed).flatMap(({ id }) => {
    const entry = about.get(id);
    if (entry?.type === "embeddings") return [];
    return [makeModel(target, base, id, { contextWindow: entry?.max_context_length, image: entry?.type === "vlm" })];
  });
}

const entry = z.object({
  id: z.string().min(1),
  name: z.string().optional(),
  context_length: z.number().optional(),
  max_model_len: z.number().optional(),
  meta: z.object({ n_ctx_train: z.number().optional() }).nullish(),
  // Additional fields of OpenRouter and compatible servers.
  architecture: z.object({ input_modalities: z.array(z.string()).optional() }).nullish(),
  supported_parameters: z.array(z.string()).nullish(),
  pricing: z.object({ prompt: z.coerce.number(), completion: z.coerce.number() }).nullish().catch(null),
});
const list = z.union([z.object({ data: z.array(entry) }), z.array(entry)]);

function entriesOf(listed: z.infer<typeof list>): z.infer<typeof entry>[] {
  return Array.isArray(listed) ? listed : listed.data;
}

/** Matches models in a provider's full list that do not support chat. */
const NO_CHAT =
  /embed|tts|whisper|dall-e|moderation|image|audio|realtime|transcri|sora|rerank|guard|babbage|davinci|ocr|speech|video/i;

function perMillion({ prompt, completion }: { prompt: number; completion: number }) {
  return { input: Math.max(0, prompt * 1e6), output: Math.max(0, completion * 1e6) };
}

async function listOpenAi(target: DiscoveryTarget, request: DiscoveryRequest): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "");
  const entries = entriesOf(list.parse(await fetchJson(`${base}/models`, target, request)));
  return entries
    .filter(({ id }) => !target.implicit || !NO_CHAT.test(id))
    .map((one) => {
      const made = makeModel(target, target.baseUrl, one.id, {
        name: one.name,
        contextWindow: one.context_length ?? one.max_model_len,
        image: one.architecture?.input_modalities?.includes("image") ?? false,
        reasoning: one.supported_parameters?.includes("reasoning") ?? false,
      });
      return one.pricing ? { ...made, cost: { ...made.cost, ...perMillion(one.pricing) } } : made;
    });
}

async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
  return results;
}

function errorText(error: unknown): string {
  if (error instanceof z.ZodError) return "the response is not a list of models";
  const { message, cause, name } = error as Error & { cause?: Error };
  if (name === "TimeoutError") return "no answer in time";
  return cause?.message || message;
}
