import { z } from "zod";
import type { Model } from "../model.ts";
import { type Ask, json, model } from "./asking.ts";
import type { DiscoveryTarget } from "./targets.ts";

const claudes = z.object({ data: z.array(z.object({ id: z.string().min(1), display_name: z.string().optional() })) });

/** A Claude that is newer than the catalogue is at least what all of them are by now. */
export async function askAnthropic(target: DiscoveryTarget, ask: Ask): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
  const { data } = claudes.parse(await json(`${base}/v1/models?limit=1000`, target, ask));
  return data
    .filter(({ id }) => !OLD.test(id))
    .map(({ id, display_name }) => ({
      ...model(target, target.baseUrl, id, {
        name: display_name,
        reasoning: true,
        image: true,
        contextWindow: 200_000,
        maxTokens: 64_000,
      }),
      thinking: { minLevel: "low", maxLevel: "high", mode: "anthropic-adaptive" } as const,
    }));
}

/** Those that think otherwise, or not at all. */
const OLD = /claude-(?:[123]|instant|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8})?$)/;

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

export async function askGoogle(target: DiscoveryTarget, ask: Ask): Promise<Model[]> {
  const base = target.baseUrl.replace(/\/+$/, "");
  const { models } = geminis.parse(await json(`${base}/models?pageSize=1000`, target, ask));
  return models.flatMap((one) => {
    const id = one.name.replace(/^models\//, "");
    const talks = one.supportedGenerationMethods?.includes("generateContent") ?? true;
    if (!talks || !/^gemini-/.test(id) || /image|tts|audio|embedding|live|robotics|computer-use/.test(id)) return [];
    const made = model(target, target.baseUrl, id, {
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
