import { basename } from "node:path";
import { type Attachment, cutText, plainText, trimEndOf } from "@gantry/protocol";
import { isTerm, joinTerms, splitTerms, type Term } from "./terms.ts";

/** The limits of a title in terms and characters. `fewest` applies only to texts with more than one term. */
export const TITLE = { fewest: 2, most: 6, length: 48 } as const;

/** A prefix that is long enough for six terms; a prompt may have a megabyte. */
const LOOKED_AT = 4000;
const LONGEST_PATH = 24;

/** Polite openings. */
const MANNERS =
  /^(?:(?:hi|hello|hey)(?: there)?[,!. ]+|please[, ]+|(?:can|could|would|will) you (?:please )?|(?:i want|i need|i'd like|i would like) (?:you )?to |help me (?:to )?|let'?s )+/i;
/** Terms that must not end a shortened title. */
const DANGLING = /^(?:a|an|the|in|on|of|to|at|and|or|for|with|from|by|that|which|is|are|it|its|my|our|your|so|as)$/i;
const TRAILING = /[\s.,;:!?…。，、；：！？·"'“”‘’«»„‚([{<|/\\=~^&*_–—-]/;
const LEADING = /^[\s.,;:!?…。，、；：！？·"'“”‘’«»„‚)\]}>|\\=~^&*_–—-]+/u;

/**
 * A title from the first message of a session, without a model: its first terms without punctuation, with long paths and
 * addresses shortened. Falls back to the names of the attachments.
 */
export function titleOf(prompt: string, attachments: readonly Attachment[] = []): string {
  const text = plainText(prompt.trimStart().slice(0, LOOKED_AT));
  return fromTerms(firstTextLine(text)) || fromFiles(attachments) || "New session";
}

/** The first line with text. A single word is joined with the next line. */
function firstTextLine(text: string): string {
  const lines = text.split("\n").filter((line) => isTerm(line));
  const [first = "", second = ""] = lines;
  const line = splitTerms(first).length < TITLE.fewest ? `${first} ${second}` : first;
  const bare = line.replace(MANNERS, "");
  return splitTerms(bare).length >= TITLE.fewest ? bare : line;
}

function fromTerms(line: string, { most, length }: { most: number; length: number } = TITLE): string {
  const all = splitTerms(line.split(/\s+/u).flatMap(shortenToken).join(" "));
  const taken: Term[] = [];
  let count = 0;
  for (const word of all) {
    if (count === most || (taken.length > 0 && joinTerms([...taken, word]).length > length)) break;
    taken.push(word);
    if (isTerm(word.text)) count++;
    // A sentence ended, and what follows is detail.
    if (count >= TITLE.fewest && /[.!?。！？;；]$/u.test(word.text)) break;
  }
  const rest = all.length - taken.length;
  while (rest > 0 && taken.length > TITLE.fewest && DANGLING.test(taken.at(-1)?.text ?? "")) taken.pop();
  return trimTitle(cutText(trimTitle(joinTerms(taken)), length));
}

function trimTitle(text: string): string {
  const bare = trimEndOf(text.replace(LEADING, ""), TRAILING);
  // An unbalanced bracket is removed with its content.
  return bare.includes("(") && !bare.includes(")") && bare.lastIndexOf("(") > 0 ? shortenedAt(bare) : bare;
}

function shortenedAt(text: string): string {
  const before = trimEndOf(text.slice(0, text.lastIndexOf("(")), TRAILING);
  return splitTerms(before).length >= TITLE.fewest ? before : text.replaceAll("(", "").replace(/\s+/g, " ").trim();
}

/** Addresses and paths are most specific at their end. */
function shortenToken(token: string): string[] {
  const url = /^[<("']*(https?:\/\/[^\s>)"']+)/i.exec(token)?.[1];
  if (url) return address(url);
  const path = token.replace(/^@(?=[\w.~/])/, "");
  const parts = path.split(/[/\\]/).filter((part) => part !== "");
  // A slash command is one word, and so is "and/or".
  if (parts.length < 2 || (parts.length < 3 && path.length <= LONGEST_PATH)) return [path];
  const two = parts.slice(-2).join("/");
  return [two.length <= LONGEST_PATH ? two : (parts.at(-1) ?? path)];
}

function address(text: string): string[] {
  try {
    const { hostname, pathname } = new URL(text);
    const parts = decodeURIComponent(pathname)
      .split("/")
      .filter((part) => part !== "");
    const end = parts.slice(-2).join("/");
    const host = hostname.replace(/^www\./, "");
    return end && isTerm(end) && !/\s/.test(end) ? [host, cutText(end, LONGEST_PATH)] : [host];
  } catch {
    return [text.replace(/^https?:\/\//i, "")];
  }
}

function fromFiles(attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return "";
  const [first = "", ...more] = attachments.map(({ name, path }) => plainText(basename(name ?? path ?? "")));
  const rest = more.length > 0 ? ` and ${more.length} more` : "";
  const room = { most: TITLE.most - (rest ? 3 : 0), length: TITLE.length - rest.length };
  return isTerm(first) ? fromTerms(`Attached ${first}`, room) + rest : "Attached files";
}
