import { z } from "zod";
import type { ModeName } from "./ladder.ts";
import { ladder } from "./ladder.ts";

export const Mode = z.enum([...ladder, "inherit"]);
export type Mode = ModeName;

/** Modes that the agent's own configuration can override, each with the reason. Such a mode is a request, not a promise. */
export const UnenforcedModes = z.partialRecord(Mode, z.string());

export type UnenforcedModes = z.infer<typeof UnenforcedModes>;
