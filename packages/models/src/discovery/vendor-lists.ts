import { z } from "zod";
import type { Model } from "../model.ts";
import { type DiscoveryRequest, fetchJson, makeModel } from "./request.ts";
import type { DiscoveryTarget } from "./targets.ts";

const claudes = z.object({ data: z.array(z.object({ id: z.string().min(1), display_name: z.string().optional() })) });

/** Assumes the capabilities of current Claude models for those that the catalogue does not know yet. */
export async function listAnthropic(target: DiscoveryTarget, request: DiscoveryRequest): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const { data } = claudes.parse(await fetchJson(`${base}/v1/models?limit=1000`, target, request));
  return data
    .filter(({ id }) => !OLD_CLAUDE.test(id))
    .map(({ id, display_name }) => ({
      ...makeModel(target, target.baseUrl, id, {
        name: display_name,
        reasoning: true,
        image: true,
        contextWindow: 200_000,
        maxTokens: 64_000,
      }),
      thinking: { minLevel: "low", maxLevel: "high", mode: "anthropic-adaptive" } as const,
    }));
}

/** Older models without adaptive thinking. */
const OLD_CLAUDE = /claude-(?:[123]|instant|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8})?$)/;

const geminis = z.object({
  models: z.array(
    z.object({
      name: z.string().min(1),
      displayName: z.string().optional(),
      inputTokenLimit: z.number().optional(),
      outputTokenLimit: z.number().optional(),
      supportedGenerationMethods: z.array(z.string()).optional(),
      thinking: z.boolean().optional(),
    }),
  ),
});

export async function listGoogle(target: DiscoveryTarget, request: DiscoveryRequest): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "");
  const { models } = geminis.parse(await fetchJson(`${base}/models?pageSize=1000`, target, request));
  return models.flatMap((one) => {
    const id = one.name.replace(/^models\//, "");
    const canChat = one.supportedGenerationMethods?.includes("generateContent") ?? true;
    if (!canChat || !/^gemini-/.test(id) || /image|tts|audio|embedding|live|robotics|computer-use/.test(id)) return [];
    const made = makeModel(target, target.baseUrl, id, {
      name: one.displayName,
      image: true,
      reasoning: one.thinking ?? false,
      contextWindow: one.inputTokenLimit,
      maxTokens: one.outputTokenLimit,
    });
    const mode = /gemini-[3-9]/.test(id) ? ("google-level" as const) : ("budget" as const);
    return [made.reasoning ? { ...made, thinking: { minLevel: "low", maxLevel: "high", mode } as const } : made];
  });
}
