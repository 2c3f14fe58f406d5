export type BackoffOptions = {
  firstMs: number;
  maxMs: number;
  /** Spreads each delay by up to this share in both directions, so that clients do not retry in the same instant. */
  jitter?: number;
  random?: () => number;
};

/** Exponential back-off: the delay before the nth retry, counted from 1. The first is `firstMs`; each next one doubles. */
export function backoffMs(
  attempt: number,
  { firstMs, maxMs, jitter = 0, random = Math.random }: BackoffOptions,
): number {
  const delay = Math.min(firstMs * 2 ** (Math.max(attempt, 1) - 1), maxMs);
  return jitter === 0 ? delay : delay * (1 - jitter + 2 * jitter * random());
}
