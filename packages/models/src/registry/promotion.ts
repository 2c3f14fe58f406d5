import type { Model } from "../model.ts";

/** Where to go when the context does not fit: the named target, else the smallest larger one that is spoken to alike. */
export function promotionOf(
  model: Model,
  siblings: readonly Model[],
  find: (selector: string) => Model | undefined,
  ready: (model: Model) => boolean,
): Model | undefined {
  const target = model.contextPromotionTarget;
  const named = target === undefined ? undefined : (find(`${model.provider}/${target}`) ?? find(target));
  if (named && named.id !== model.id && ready(named)) return named;
  return siblings
    .filter((other) => other.api === model.api && other.contextWindow > model.contextWindow && ready(other))
    .reduce<Model | undefined>(
      (best, other) => (best && best.contextWindow <= other.contextWindow ? best : other),
      undefined,
    );
}
