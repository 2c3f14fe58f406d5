import { z } from "zod";
import type { ModeName } from "./ladder.ts";
import { ladder } from "./ladder.ts";

export const Mode = z.enum([...ladder, "inherit"]);
export type Mode = ModeName;
