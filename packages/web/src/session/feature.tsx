import type { Feature } from "../shell/feature.ts";
import { sessionCommands } from "./session-commands.ts";
import SessionPage from "./session-page.tsx";

export const sessionFeature: Feature = {
  routes: [{ path: "/s/:id", view: SessionPage }],
  sessionCommands,
};
