/** Providers' messages for a context that does not fit. */
const PHRASES = [
  /prompt is too long/i,
  /input is too long/i,
  /(input|prompt|request|context|conversation).{0,40}(exceeds?|exceeded|over|larger than|longer than|beyond).{0,40}(context|token|limit|length|window|maximum)/i,
  /exceed(s|ed|ing)?.{0,30}(context (window|length|size|limit)|maximum (context|number of (input )?tokens|prompt length|allowed (input )?(length|size)))/i,
  /maximum (context|prompt|input) (length|size|window)/i,
  /context[ _]?(length|window|size)[ _](is )?exceeded/i,
  /context_length_exceeded|model_context_window_exceeded|string_above_max_length|request_too_large/i,
  /reduce the length of (the|your) (messages|prompt|input)/i,
  /too many (input )?tokens|too large for model|tokens? (to keep|count).{0,40}(exceeds?|greater)/i,
  /input length.{0,40}(exceed|limit|range)/i,
  /range of input length should be/i,
  /available context size|greater than the context length|n_ctx|trying to keep the first \d+ tokens/i,
  /(total|token|prompt).{0,30}tokens.{0,40}(exceed|larger|more than).{0,40}(limit|maximum|window|allowed)/i,
  /input token count.{0,40}exceeds/i,
  /prompt has \d+ tokens.{0,40}(but|exceed|takes|accepts)/i,
  /max(imum)?_?(model_len|tokens? per request|total tokens)/i,
];
/** Messages of rate limits, which are also counted in tokens. */
const RATE_LIMITS =
  /per (minute|min|hour|day|second)|\b(tpm|tpd|rpm|itpm|otpm)\b|rate[ _-]?limit|throttl|too many tokens, please wait|quota/i;

/** Whether the message reports that the context does not fit. */
export function isOverflow(text: string): boolean {
  return PHRASES.some((phrase) => phrase.test(text)) && !RATE_LIMITS.test(text);
}
