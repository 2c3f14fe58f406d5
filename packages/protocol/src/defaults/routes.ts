import { z } from "zod";
import { AgentId } from "../ids/schema.ts";
import type { Route } from "../routing/route.ts";
import { ChangeDefaults, ResolvedDefaults } from "./schema.ts";

const query = z.strictObject({ cwd: z.string().min(1).max(4096).optional(), agent: AgentId.optional() });

/** Defaults of new sessions. */
export const defaultRoutes = {
  getDefaults: {
    method: "GET",
    path: "/v1/defaults",
    summary:
      "Returns the agent, model, mode, effort and controls of a new session in a folder that names none, with their sources. With `agent`, the settings for that agent.",
    query,
    status: 200,
    response: ResolvedDefaults,
    errors: ["invalid"],
    client: "defaults.get(query)",
  },
  putDefaults: {
    method: "PUT",
    path: "/v1/defaults",
    summary:
      "Changes the defaults of the user (config.yml) or of a project (.gantry/project.yml of the folder); `null` removes one. Comments in the file stay.",
    body: ChangeDefaults,
    status: 200,
    response: ResolvedDefaults,
    errors: ["invalid", "conflict"],
    client: "defaults.set(body)",
  },
} as const satisfies Record<string, Route>;
