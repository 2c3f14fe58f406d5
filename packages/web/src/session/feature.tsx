import type { Feature } from "../shell/feature.ts";
import { sessionCommands } from "./session-commands.ts";

export const sessionFeature: Feature = { sessionCommands };
