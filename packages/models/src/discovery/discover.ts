import { z } from "zod";
import type { Model } from "../model.ts";
import { CUSTOM_DEFAULTS } from "../registry/merge.ts";
import type { DiscoveryTarget } from "./targets.ts";

/** What came of asking: models, or why not. */
export type Discovered = { ok: true; models: Model[] } | { ok: false; message: string };

export type Ask = {
  fetch: typeof globalThis.fetch;
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** For one request. A program that nobody has named gets little time. */
  timeoutMs: number;
};

/** How many models of one program are asked about at the same time. */
const AT_ONCE = 4;
const LARGEST = 8 * 1024 * 1024;

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
});
const list = z.union([z.object({ data: z.array(entry) }), z.array(entry)]);

function entriesOf(listed: z.infer<typeof list>): z.infer<typeof entry>[] {
  return Array.isArray(listed) ? listed : listed.data;
}

async function askList(target: DiscoveryTarget, ask: Ask): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "");
  return entriesOf(list.parse(await json(`${base}/models`, target, ask))).map((one) =>
    model(target, target.baseUrl, one.id, { name: one.name, contextWindow: one.context_length ?? one.max_model_len }),
  );
}

type About = {
  name?: string | undefined;
  reasoning?: boolean;
  image?: boolean;
  contextWindow?: number | undefined;
};

function model(target: DiscoveryTarget, baseUrl: string, id: string, about: About): Model {
  const { contextWindow: said = 0 } = about;
  const contextWindow = Number.isInteger(said) && said > 0 ? said : CUSTOM_DEFAULTS.contextWindow;
  const made: Model = {
    ...CUSTOM_DEFAULTS,
    id,
    name: about.name ?? id,
    api: target.api,
    provider: target.provider,
    baseUrl,
    reasoning: about.reasoning ?? false,
    input: about.image ? ["text", "image"] : ["text"],
    contextWindow,
    maxTokens: Math.min(CUSTOM_DEFAULTS.maxTokens, contextWindow),
  };
  return target.keyless ? { ...made, keyless: true } : made;
}

async function json(url: string, target: DiscoveryTarget, ask: Ask, body?: object): Promise<unknown> {
  const limit = AbortSignal.timeout(ask.timeoutMs);
  const response = await ask.fetch(url, {
    method: body ? "POST" : "GET",
    headers: {
      accept: "application/json",
      ...(body ? { "content-type": "application/json" } : {}),
      ...(ask.key ? { authorization: `Bearer ${ask.key}` } : {}),
      ...target.headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    redirect: "error",
    signal: ask.signal ? AbortSignal.any([limit, ask.signal]) : limit,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered with status ${response.status}`);
  }
  return JSON.parse(await textOf(response, url));
}

/** An answer without end must not fill the memory. */
async function textOf(response: Response, url: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > LARGEST) throw new Error(`${url} answered with more than ${LARGEST} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
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
