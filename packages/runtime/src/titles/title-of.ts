import { basename } from "node:path";
import { type Attachment, cutText, plainText } from "@gantry/protocol";
import { isWord, joined, type Word, wordsOf } from "./words.ts";

/** A title has so many words and characters at most, and two words at least where there is more than one to be had. */
export const TITLE = { fewest: 2, most: 6, length: 48 } as const;

/** Enough to find six words in, whatever stands before them; a prompt may be a megabyte long. */
const LOOKED_AT = 4000;
const LONGEST_PATH = 24;

/** What people say before they come to the matter. */
const MANNERS =
  /^(?:(?:hi|hello|hey)(?: there)?[,!. ]+|please[, ]+|(?:can|could|would|will) you (?:please )?|(?:i want|i need|i'd like|i would like) (?:you )?to |help me (?:to )?|let'?s )+/i;
/** Words that a title does not end with when something was left out after them. */
const DANGLING = /^(?:a|an|the|in|on|of|to|at|and|or|for|with|from|by|that|which|is|are|it|its|my|our|your|so|as)$/i;
const TRAILING = /[\s.,;:!?…。，、；：！？·"'“”‘’«»„‚([{<|/\\=~^&*_–—-]+$/u;
const LEADING = /^[\s.,;:!?…。，、；：！？·"'“”‘’«»„‚)\]}>|\\=~^&*_–—-]+/u;

/**
 * A title from the first message of a session, without asking anybody: its first words without the marks around them,
 * long paths and addresses shortened. A message of one word, or of files alone, gives what there is.
 */
export function titleOf(prompt: string, attachments: readonly Attachment[] = []): string {
  const text = plainText(prompt.trimStart().slice(0, LOOKED_AT));
  return fromWords(opening(text)) || fromFiles(attachments) || "New session";
}

/** The first line that says something; one of a single word goes on with the next. */
function opening(text: string): string {
  const lines = text.split("\n").filter((line) => isWord(line));
  const [first = "", second = ""] = lines;
  const line = wordsOf(first).length < TITLE.fewest ? `${first} ${second}` : first;
  const bare = line.replace(MANNERS, "");
  return wordsOf(bare).length >= TITLE.fewest ? bare : line;
}

function fromWords(line: string, { most, length }: { most: number; length: number } = TITLE): string {
  const all = wordsOf(line.split(/\s+/u).flatMap(shortened).join(" "));
  const taken: Word[] = [];
  let count = 0;
  for (const word of all) {
    if (count === most || (taken.length > 0 && joined([...taken, word]).length > length)) break;
    taken.push(word);
    if (isWord(word.text)) count++;
    // The matter is named; what follows is detail.
    if (count >= TITLE.fewest && /[.!?。！？;；]$/u.test(word.text)) break;
  }
  const rest = all.length - taken.length;
  while (rest > 0 && taken.length > TITLE.fewest && DANGLING.test(taken.at(-1)?.text ?? "")) taken.pop();
  return trimmed(cutText(trimmed(joined(taken)), length));
}

function trimmed(text: string): string {
  const bare = text.replace(LEADING, "").replace(TRAILING, "");
  // A bracket that lost its partner is cut with it.
  return bare.includes("(") && !bare.includes(")") && bare.lastIndexOf("(") > 0 ? shortenedAt(bare) : bare;
}

function shortenedAt(text: string): string {
  const before = text.slice(0, text.lastIndexOf("(")).replace(TRAILING, "");
  return wordsOf(before).length >= TITLE.fewest ? before : text.replaceAll("(", "").replace(/\s+/g, " ").trim();
}

/** Addresses and paths say what they are about at their end. */
function shortened(token: string): string[] {
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
    return end && isWord(end) && !/\s/.test(end) ? [host, cutText(end, LONGEST_PATH)] : [host];
  } catch {
    return [text.replace(/^https?:\/\//i, "")];
  }
}

function fromFiles(attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return "";
  const [first = "", ...more] = attachments.map(({ name, path }) => plainText(basename(name ?? path ?? "")));
  const rest = more.length > 0 ? ` and ${more.length} more` : "";
  const room = { most: TITLE.most - (rest ? 3 : 0), length: TITLE.length - rest.length };
  return isWord(first) ? fromWords(`Attached ${first}`, room) + rest : "Attached files";
}
