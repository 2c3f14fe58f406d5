import type { Model } from "../model.ts";

/** The model for a larger context: the configured target, else the smallest larger model with the same wire format. */
export function promotionOf(
  model: Model,
  siblings: readonly Model[],
  find: (selector: string) => Model | undefined,
  ready: (model: Model) => boolean,
): Model | undefined {
  const target = model.contextPromotionTarget;
  const configured = target === undefined ? undefined : (find(`${model.provider}/${target}`) ?? find(target));
  if (configured && configured.id !== model.id && ready(configured)) return configured;
  return siblings
    .filter((other) => other.api === model.api && other.contextWindow > model.contextWindow && ready(other))
    .reduce<Model | undefined>(
      (best, other) => (best && best.contextWindow <= other.contextWindow ? best : other),
      undefined,
    );
}
