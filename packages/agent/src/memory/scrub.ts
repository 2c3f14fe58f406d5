import { redact } from "@gantry/models";

/** Shapes of secrets in addition to those of `redact`. No two parts of a pattern can match the same text: matching is linear. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\bsk_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bwhsec_[A-Za-z0-9]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[A-Za-z0-9_-]{30,}/g,
  /\bdop_v1_[a-f0-9]{32,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\bhttps:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,}/g,
  /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,100}:)[^\s/@]{3,200}(?=@)/gi,
];
/** `name = value` where the name marks a secret. */
const NAMED =
  /(\b[A-Za-z0-9_.-]{0,40}(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|credential|private[_-]?key)[A-Za-z0-9_]{0,20}["']?\s{0,4}[:=]\s{0,4}["']?)([^\s"',;]{8,400})/gi;

/** The text without anything that looks like a secret. */
export function scrub(text: string): string {
  let out = redact(text);
  for (const shape of SHAPES) out = out.replace(shape, "[secret]");
  return out.replace(NAMED, (whole, name: string, value: string) =>
    value.startsWith("[secret") ? whole : `${name}[secret]`,
  );
}
