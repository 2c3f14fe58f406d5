import { z } from "zod";
import type { Model } from "../model.ts";
import { type Ask, json, model } from "./asking.ts";
import { askAnthropic, askGoogle } from "./makers.ts";
import type { DiscoveryTarget } from "./targets.ts";

/** What came of asking: models, or why not. */
export type Discovered = { ok: true; models: Model[] } | { ok: false; message: string };

/** How many models of one program are asked about at the same time. */
const AT_ONCE = 4;

/** Asks a provider which models it has. Never rejects. */
export async function discover(target: DiscoveryTarget, ask: Ask): Promise<Discovered> {
  try {
    const models = await METHODS[target.type](target, ask);
    const once = new Map(models.map((model) => [model.id, model]));
    return { ok: true, models: [...once.values()] };
  } catch (error) {
    return { ok: false, message: said(error) };
  }
}

const METHODS: Record<DiscoveryTarget["type"], (target: DiscoveryTarget, ask: Ask) => Promise<Model[]>> = {
  ollama: askOllama,
  "llama.cpp": askLlama,
  "lm-studio": askStudio,
  "openai-models-list": askList,
  "anthropic-models-list": askAnthropic,
  "google-models-list": askGoogle,
};

const tags = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });
const shown = z.object({
  capabilities: z.array(z.string()).optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
});

async function askOllama(target: DiscoveryTarget, ask: Ask): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const { models } = tags.parse(await json(`${base}/api/tags`, target, ask));
  const baseUrl = target.api === "ollama-chat" ? base : `${base}/v1`;
  const made = await inTurns(models, async ({ name }) => {
    const about = await json(`${base}/api/show`, target, ask, { model: name }).then(
      (answer) => shown.safeParse(answer).data,
      () => undefined,
    );
    const can = about?.capabilities ?? ["completion"];
    if (!can.includes("completion")) return [];
    return [
      model(target, baseUrl, name, {
        reasoning: can.includes("thinking"),
        image: can.includes("vision"),
        contextWindow: contextLength(about?.model_info),
      }),
    ];
  });
  return made.flat();
}

/** `llama.context_length`, `qwen3.context_length`: named after the family. */
function contextLength(info: Record<string, unknown> | undefined): number | undefined {
  const [, length] = Object.entries(info ?? {}).find(([key]) => key.endsWith(".context_length")) ?? [];
  return typeof length === "number" ? length : undefined;
}

const props = z.object({
  default_generation_settings: z.object({ n_ctx: z.number() }).optional(),
  modalities: z.object({ vision: z.boolean().optional() }).optional(),
});

async function askLlama(target: DiscoveryTarget, ask: Ask): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const listed = list.parse(await json(`${base}/v1/models`, target, ask));
  const about = await json(`${base}/props`, target, ask).then(
    (answer) => props.safeParse(answer).data,
    () => undefined,
  );
  return entriesOf(listed).map(({ id, meta }) =>
    model(target, `${base}/v1`, id, {
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

async function askStudio(target: DiscoveryTarget, ask: Ask): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "");
  const listed = list.parse(await json(`${base}/models`, target, ask));
  // Only its own list tells how large a model is and what it is for.
  const about = await json(`${base.replace(/\/v1$/, "")}/api/v0/models`, target, ask).then(
    (answer) => new Map((studio.safeParse(answer).data?.data ?? []).map((entry) => [entry.id, entry])),
    () => new Map<string, z.infer<typeof studio>["data"][number]>(),
  );
  return entriesOf(listed).flatMap(({ id }) => {
    const entry = about.get(id);
    if (entry?.type === "embeddings") return [];
    return [model(target, base, id, { contextWindow: entry?.max_context_length, image: entry?.type === "vlm" })];
  });
}

const entry = z.object({
  id: z.string().min(1),
  name: z.string().optional(),
  context_length: z.number().optional(),
  max_model_len: z.number().optional(),
  meta: z.object({ n_ctx_train: z.number().optional() }).nullish(),
  // What OpenRouter and those who do as it does say beside it.
  architecture: z.object({ input_modalities: z.array(z.string()).optional() }).nullish(),
  supported_parameters: z.array(z.string()).nullish(),
  pricing: z.object({ prompt: z.coerce.number(), completion: z.coerce.number() }).nullish().catch(null),
});
const list = z.union([z.object({ data: z.array(entry) }), z.array(entry)]);

function entriesOf(listed: z.infer<typeof list>): z.infer<typeof entry>[] {
  return Array.isArray(listed) ? listed : listed.data;
}

/** Lists of everything a provider has hold much that nobody can talk to. */
const NO_CHAT =
  /embed|tts|whisper|dall-e|moderation|image|audio|realtime|transcri|sora|rerank|guard|babbage|davinci|ocr|speech|video/i;

function perMillion({ prompt, completion }: { prompt: number; completion: number }) {
  return { input: Math.max(0, prompt * 1e6), output: Math.max(0, completion * 1e6) };
}

async function askList(target: DiscoveryTarget, ask: Ask): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "");
  const entries = entriesOf(list.parse(await json(`${base}/models`, target, ask)));
  return entries
    .filter(({ id }) => !target.implicit || !NO_CHAT.test(id))
    .map((one) => {
      const made = model(target, target.baseUrl, one.id, {
        name: one.name,
        contextWindow: one.context_length ?? one.max_model_len,
        image: one.architecture?.input_modalities?.includes("image") ?? false,
        reasoning: one.supported_parameters?.includes("reasoning") ?? false,
      });
      return one.pricing ? { ...made, cost: { ...made.cost, ...perMillion(one.pricing) } } : made;
    });
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  return results;
}

function said(error: unknown): string {
  if (error instanceof z.ZodError) return "the answer is not a list of models";
  const { message, cause, name } = error as Error & { cause?: Error };
  if (name === "TimeoutError") return "no answer in time";
  return cause?.message || message;
}
