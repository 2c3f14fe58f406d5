import { GantryError, type SavedPrompt } from "@gantry/protocol";
import type { Records } from "../log/port.ts";
import type { Handlers } from "../server/handler.ts";

/** The prompts that a person saved, by name. They belong to no session and survive the deletion of all. */
export function savedPromptHandlers(
  records: Records<SavedPrompt>,
  now: () => Date = () => new Date(),
): Pick<Handlers, "listSavedPrompts" | "putSavedPrompt" | "deleteSavedPrompt"> {
  return {
    listSavedPrompts: () => ({ json: { prompts: records.list() } }),
    putSavedPrompt: ({ params: { name }, body: { text } }) => {
      const prompt = { name, text, updatedAt: now().toISOString() };
      records.put(name, prompt);
      return { json: prompt };
    },
    deleteSavedPrompt: ({ params: { name } }) => {
      if (!records.get(name)) throw new GantryError("no_such_prompt", `There is no saved prompt ${name}.`);
      records.delete(name);
      return { json: { deleted: true } };
    },
  };
}
