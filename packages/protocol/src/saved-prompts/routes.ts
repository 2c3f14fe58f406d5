import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { PutSavedPrompt, SavedPrompt } from "./schema.ts";

/** Prompts that a person saved to use them again. */
export const savedPromptRoutes = {
  listSavedPrompts: {
    method: "GET",
    path: "/v1/saved-prompts",
    summary: "Lists the saved prompts by name.",
    status: 200,
    response: z.object({ prompts: z.array(SavedPrompt) }),
    errors: [],
    client: "savedPrompts.list()",
  },
  putSavedPrompt: {
    method: "PUT",
    path: "/v1/saved-prompts/:name",
    summary: "Saves a prompt under a name, in place of the prompt that has the name.",
    body: PutSavedPrompt,
    status: 200,
    response: SavedPrompt,
    errors: ["invalid"],
    client: "savedPrompts.put(name, body)",
  },
  deleteSavedPrompt: {
    method: "DELETE",
    path: "/v1/saved-prompts/:name",
    summary: "Deletes a saved prompt.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: ["no_such_prompt"],
    client: "savedPrompts.delete(name)",
  },
} as const satisfies Record<string, Route>;
