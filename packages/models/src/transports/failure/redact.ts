import { redact as redactKnown } from "../../credentials/redaction.ts";
import type { Credential } from "../../stream.ts";

const REDACTED = "[secret]";
/** Formats of providers' keys, for messages that quote a key other than the request's. */
const SECRET_FORMATS = [
  /\b(sk|pk|rk|gsk|xai|csk|nvapi|fw|or|r8|hf|glpat|ghp|gho|ghu|ghs)[-_][A-Za-z0-9_-]{8,}[*A-Za-z0-9_-]*/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\bya29\.[A-Za-z0-9._-]{10,}/g,
  /\b(AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*)?/g,
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /((?:api[-_]?key|access[-_]?token|token|secret|password)["']?\s*[=:]\s*["']?)[^\s"',}&]{6,}/gi,
];

/** Removes these secrets, and everything that has the format of one. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let redacted = redactKnown(text);
  for (const secret of secrets) {
    if (secret.length >= 4) redacted = redacted.replaceAll(secret, REDACTED);
  }
  for (const pattern of SECRET_FORMATS) {
    redacted = redacted.replace(pattern, (_match, lead: unknown) =>
      typeof lead === "string" && /[=:]/.test(lead) ? `${lead}${REDACTED}` : REDACTED,
    );
  }
  return redacted;
}

/** The secrets of a request: the credential, and the headers that carry one. */
export function secretsOf(credential: Credential, headers: Record<string, string | null> = {}): string[] {
  const own = credential.kind === "key" ? [credential.key] : credential.kind === "oauth" ? [credential.token] : [];
  const carried = Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .flatMap(([, value]) => (value ? [value, value.replace(/^\S+\s+/, "")] : []));
  return [...own, ...carried].filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
}
