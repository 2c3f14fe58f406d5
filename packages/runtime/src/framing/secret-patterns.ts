/**
 * Patterns of keys, tokens and passwords. The secret is the whole match. Their parts are bounded, because each
 * pattern is tried at every character of a long text.
 */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,16000}?-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
  /\b(?:sk|rk|pk)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr|glpat|npm|hf|dop_v1|shpat|xox[abposr])[_-][A-Za-z0-9_-]{16,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /\b(?:Bearer|Basic) [A-Za-z0-9._~+/-]{16,}=*/g,
  /(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]{3,}(?=@)/g,
  /(?<=\b[A-Z0-9_]{0,60}(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIALS?)["']?\s{0,9}[=:]\s{0,9}["']?)[^\s"'`,;]{6,}/g,
  /(?<=\b(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)["']?\s{0,9}[=:]\s{0,9}["']?)[^\s"'`,;]{6,}/gi,
];
const HIDDEN = "[hidden]";
/** A shorter value is not a secret, and would hide parts of ordinary text. */
const SHORTEST = 6;

/** Redacts keys and passwords by pattern, and known secret values, in a text that leaves the machine. */
export function hideSecrets(text: string, values: readonly string[] = []): string {
  let shown = text;
  for (const value of values) if (value.length >= SHORTEST) shown = shown.replaceAll(value, HIDDEN);
  for (const secret of SECRETS) shown = shown.replace(secret, HIDDEN);
  return shown;
}
