import type { Model } from "@gantry/models";

/** The largest image of a request: the longer edge in pixels, and characters of base64. */
export type ImageLimits = { edge: number; characters: number };

const MB = 1024 * 1024;

/** The limits that the providers document. Larger images are refused, or the provider scales them down and bills for them. */
const LIMITS: readonly { api: RegExp; limits: ImageLimits }[] = [
  { api: /^(anthropic|bedrock)/, limits: { edge: 2000, characters: 5 * MB } },
  { api: /openai/, limits: { edge: 2048, characters: 20 * MB } },
  { api: /^google/, limits: { edge: 3072, characters: 7 * MB } },
];
const COMMON: ImageLimits = { edge: 2000, characters: 4.5 * MB };

export function imageLimitsOf({ api }: Pick<Model, "api">): ImageLimits {
  return LIMITS.find((row) => row.api.test(api))?.limits ?? COMMON;
}
