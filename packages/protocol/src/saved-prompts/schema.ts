import { z } from "zod";
import { KitName } from "../kit/schema.ts";

/** The name of a saved prompt; also its place in the address. */
export const SavedPromptName = KitName;

/** A text that a person saved to use it again in any session. */
export const SavedPrompt = z.object({ name: SavedPromptName, text: z.string(), updatedAt: z.iso.datetime() });

export type SavedPrompt = z.infer<typeof SavedPrompt>;

export const PutSavedPrompt = z.strictObject({ text: z.string().trim().min(1).max(100_000) });

export type PutSavedPrompt = z.infer<typeof PutSavedPrompt>;
