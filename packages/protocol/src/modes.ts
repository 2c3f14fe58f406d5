import { z } from "zod";
import { ladder } from "./ladder.ts";

/** `inherit` says nothing to the agent: its own configuration rules. */
export const Mode = z.enum([...ladder, "inherit"]);
export type Mode = z.infer<typeof Mode>;
