import { createHash } from "node:crypto";

/** Converts an id to one that a provider accepts. Must be deterministic. */
export type IdRule = (id: string) => string;

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** Letters, digits, `_` and `-`, up to a maximum length: Anthropic, Bedrock and OpenAI's Completions. */
export function plainIds(longest: number): IdRule {
  return (id) => {
    const call = id.split("|")[0] ?? "";
    const clean = call.replace(/[^a-zA-Z0-9_-]/g, "_");
    if (clean === "") return `call_${hash(id).slice(0, 16)}`;
    return clean.length <= longest ? clean : `${clean.slice(0, longest - 9)}_${hash(id).slice(0, 8)}`;
  };
}

/** Mistral: exactly nine letters and digits. */
export const mistralIds: IdRule = (id) => (/^[a-zA-Z0-9]{9}$/.test(id) ? id : hash(id).slice(0, 9));
