import { redact as withoutKnown } from "../../credentials/redaction.ts";
import type { Credential } from "../../stream.ts";

const COVER = "[secret]";
/** What looks like a key of any provider, for texts that name another one than ours. */
const LOOKS_SECRET = [
  /\b(sk|pk|rk|gsk|xai|csk|nvapi|fw|or|r8|hf|glpat|ghp|gho|ghu|ghs)[-_][A-Za-z0-9_-]{8,}[*A-Za-z0-9_-]*/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\bya29\.[A-Za-z0-9._-]{10,}/g,
  /\b(AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*)?/g,
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /((?:api[-_]?key|access[-_]?token|token|secret|password)["']?\s*[=:]\s*["']?)[^\s"',}&]{6,}/gi,
];

/** A text for people without what proves who asks: neither these secrets nor anything that looks like one. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let covered = withoutKnown(text);
  for (const secret of secrets) {
    if (secret.length >= 4) covered = covered.replaceAll(secret, COVER);
  }
  for (const pattern of LOOKS_SECRET) {
    covered = covered.replace(pattern, (_match, lead: unknown) =>
      typeof lead === "string" && /[=:]/.test(lead) ? `${lead}${COVER}` : COVER,
    );
  }
  return covered;
}

/** Everything of a request that must not be said: the credential, and headers that carry one. */
export function secretsOf(credential: Credential, headers: Record<string, string | null> = {}): string[] {
  const own = credential.kind === "key" ? [credential.key] : credential.kind === "oauth" ? [credential.token] : [];
  const carried = Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .flatMap(([, value]) => (value ? [value, value.replace(/^\S+\s+/, "")] : []));
  return [...own, ...carried].filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
}
