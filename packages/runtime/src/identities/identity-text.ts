import { cutText } from "@gantry/protocol";
import type { StoredIdentity } from "./identity-folder.ts";

/** How much an agent is told at once. A memory that grows beyond it is cut, with a word: the files hold the rest. */
export const LONGEST_PERSONA = 16_000;
export const LONGEST_MEMORY = 24_000;

type Place = {
  memoryFolder: string;
  /** Was the agent given the folder to write in, as far as its mode lets it write at all? */
  writable: boolean;
};

/** Who the agent is and what it remembers, as it is told at the beginning of a conversation and after a compaction. */
export function wordsOf(identity: StoredIdentity, { memoryFolder, writable }: Place): string {
  const { name, title, role, description, persona } = identity;
  const who = `You are ${title ?? name}${title ? ` (${name})` : ""}, a standing ${role} with a memory of your own.`;
  const access = writable
    ? "You may change these files with your own tools, and make new ones there."
    : "You may change these files if your tools let you write there; if they refuse, say what should be changed.";
  return [
    `<identity name="${name}">`,
    who,
    ...(description ? [description] : []),
    ...(persona.trim() ? ["", "# Persona", bounded(persona.trim(), LONGEST_PERSONA, "persona.md").text] : []),
    "",
    "# Memory",
    `Your core memory is the Markdown files in ${memoryFolder}. ${access} You are told them at the beginning of a`,
    "conversation, after it was compacted, and when they have changed; what is not written there you will forget one day.",
    `Keep them short: no more than ${LONGEST_MEMORY} characters in all are told to you.`,
    ...memoryParts(identity.memory).map(({ name: file, text }) => `\n## ${file}\n${text}`),
    ...(identity.memory.length === 0 ? ["It is empty so far."] : []),
    "</identity>",
  ].join("\n");
}

/** What is told of each file: all of it while there is room, then a beginning, then only that it is there. */
export function memoryParts(memory: StoredIdentity["memory"]): { name: string; text: string; whole: boolean }[] {
  let room = LONGEST_MEMORY;
  return memory.map(({ name, text }) => {
    const part = bounded(text.trim(), room, name);
    room = Math.max(0, room - text.trim().length);
    return { name, ...part };
  });
}

function bounded(text: string, room: number, file: string): { text: string; whole: boolean } {
  if (text.length <= room) return { text, whole: true };
  const left = `(${file} has ${text.length} characters; this is no more than its beginning. Read the file for the rest, and make it shorter.)`;
  return { text: `${cutText(text, room)}\n${left}`, whole: false };
}
