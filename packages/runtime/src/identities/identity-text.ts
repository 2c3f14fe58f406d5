import { cutText } from "@gantry/protocol";
import type { StoredIdentity } from "./identity-folder.ts";

/** Limit of the injected memory. Longer memory is truncated with a notice; the files have the rest. */
export const LONGEST_PERSONA = 16_000;
export const LONGEST_MEMORY = 24_000;

type Place = {
  memoryFolder: string;
  /** Whether the agent may write in the folder, as far as its mode allows. */
  writable: boolean;
};

/** The pinned context of an identity: persona and memory. Injected at the start of a conversation and after compaction. */
export function identityText(identity: StoredIdentity, { memoryFolder, writable }: Place): string {
  const { name, title, role, description, persona } = identity;
  const intro = `You are ${title ?? name}${title ? ` (${name})` : ""}, a standing ${role} with a separate memory.`;
  const access = writable
    ? "You may change these files with your own tools, and make new ones there."
    : "You may change these files if your tools let you write there. If they refuse, report what should be changed.";
  return [
    `<identity name="${name}">`,
    intro,
    ...(description ? [description] : []),
    ...(persona.trim() ? ["", "# Persona", boundText(persona.trim(), LONGEST_PERSONA, "persona.md").text] : []),
    "",
    "# Memory",
    `Your core memory is the Markdown files in ${memoryFolder}. ${access} You receive them at the start of a`,
    "conversation, after it was compacted, and when they have changed; what is not written there you will forget one day.",
    `Write them concisely: you receive at most ${LONGEST_MEMORY} characters in total.`,
    ...memoryParts(identity.memory).map(({ name: file, text }) => `\n## ${file}\n${text}`),
    ...(identity.memory.length === 0 ? ["It is empty so far."] : []),
    "</identity>",
  ].join("\n");
}

/** The text of each file: all of it while there is room, then a truncated one, then only its name. */
export function memoryParts(memory: StoredIdentity["memory"]): { name: string; text: string; whole: boolean }[] {
  let room = LONGEST_MEMORY;
  return memory.map(({ name, text }) => {
    const part = boundText(text.trim(), room, name);
    room = Math.max(0, room - text.trim().length);
    return { name, ...part };
  });
}

function boundText(text: string, room: number, file: string): { text: string; whole: boolean } {
  if (text.length <= room) return { text, whole: true };
  const left = `(${file} has ${text.length} characters; this is no more than its beginning. Read the file for the rest, and make it shorter.)`;
  return { text: `${cutText(text, room)}\n${left}`, whole: false };
}
