import type { Model } from "./schema.ts";

/** The known facts about a model, as short phrases for a person: `200k context`, `$3 in, $15 out per million tokens`. */
export function listModelFacts(model: Model): string[] {
  const { contextWindow, maxTokens, price, images, local, deprecated, resolves } = model;
  return [
    ...(deprecated ? ["deprecated"] : []),
    ...(resolves && resolves !== model.id ? [resolves] : []),
    ...(contextWindow ? [`${formatWindow(contextWindow)} context`] : []),
    ...(maxTokens ? [`${formatWindow(maxTokens)} output`] : []),
    ...(local ? ["runs on this machine"] : price ? [formatPrice(price)] : []),
    ...(images === undefined ? [] : [images ? "reads images" : "no images"]),
  ];
}

/** The facts that fit next to a name in a list: deprecation, context window and price. */
export function formatModelHint({ contextWindow, price, local, deprecated }: Model): string | undefined {
  const parts = [
    deprecated && "deprecated",
    contextWindow && formatWindow(contextWindow),
    local ? "local" : price && isPriced(price) && `$${price.input}/$${price.output}`,
  ];
  return parts.filter(Boolean).join(" · ") || undefined;
}

/** A number of tokens. Limits are round in binary or in decimal: `262144` and `256000` are both 256k. */
export function formatWindow(tokens: number): string {
  // 128000 is a multiple of 1024 too, but it means 128k.
  const unit = tokens % 8192 === 0 ? 1024 : 1000;
  const thousands = Math.round(tokens / unit);
  if (thousands < 1000) return `${thousands}k`;
  return `${Math.round((thousands / unit) * 10) / 10}M`;
}

function formatPrice(price: NonNullable<Model["price"]>): string {
  if (!isPriced(price)) return "no list price";
  return `$${price.input} in, $${price.output} out per million tokens`;
}

/** The catalogue states 0 for models of a subscription. */
function isPriced({ input, output }: NonNullable<Model["price"]>): boolean {
  return input > 0 || output > 0;
}
