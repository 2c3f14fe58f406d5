import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { Check, Comparison, CreateLaunch, Launch, RunCheck } from "./schema.ts";

const missing = ["no_such_launch"] as const;

const making = ["no_such_agent", "agent_unavailable", "not_a_repository", "no_commits", "outside_folder"] as const;

/** One prompt for several agents, each in a separate lane, and the comparison of their results. */
export const launchRoutes = {
  createLaunch: {
    method: "POST",
    path: "/v1/launches",
    summary:
      "Sends one prompt to several agents, each in a separate lane. Idempotent: the same id and body return 200 and the same launch.",
    body: CreateLaunch,
    status: 202,
    response: Launch,
    errors: [...making, "invalid", "conflict", "unsupported", "git_failed", "unavailable"],
    client: "launches.create(body)",
  },
  listLaunches: {
    method: "GET",
    path: "/v1/launches",
    summary: "Lists launches, newest first.",
    status: 200,
    response: z.object({ launches: z.array(Launch) }),
    errors: [],
    client: "launches.list() > launches",
  },
  getLaunch: {
    method: "GET",
    path: "/v1/launches/:id",
    summary: "Returns one launch with the state of each slot.",
    status: 200,
    response: Launch,
    errors: missing,
    client: "launches.get(id)",
  },
  cancelLaunch: {
    method: "DELETE",
    path: "/v1/launches/:id",
    summary:
      "Cancels a launch: interrupts its turns and removes lanes without a sent prompt; the other lanes stay. With `forget`, removes a finished launch from the list.",
    query: z.strictObject({ forget: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: Launch,
    errors: [...missing, "conflict"],
    client: "launches.cancel(id, forget=false)",
  },
  compareLaunch: {
    method: "GET",
    path: "/v1/launches/:id/compare",
    summary: "Compares the lanes of a launch; `patch=0` omits the patches.",
    query: z.strictObject({ patch: z.enum(["0", "1"]).optional() }),
    status: 200,
    response: Comparison,
    errors: [...missing, "no_such_lane", "git_failed", "unavailable"],
    client: "launches.compare(id, patch=true)",
  },
  compareLanes: {
    method: "GET",
    path: "/v1/compare",
    summary: "Compares lanes of one repository, named by id or name and separated by commas.",
    query: z.strictObject({
      lanes: z.string().min(1).max(4000),
      cwd: z.string().max(4096).optional(),
      patch: z.enum(["0", "1"]).optional(),
    }),
    status: 200,
    response: Comparison,
    errors: ["no_such_lane", "invalid", "conflict", "not_permitted", "git_failed", "unavailable"],
    agent: "checked",
  },
  checkLaunch: {
    method: "POST",
    path: "/v1/launches/:id/check",
    summary: "Runs a command in each lane of a launch; the comparison shows the results.",
    body: RunCheck,
    bodyOptional: true,
    status: 202,
    response: z.object({ checks: z.array(Check) }),
    errors: [...missing, "untrusted", "invalid", "conflict"],
    client: "launches.check(id, body?) > checks",
  },
} as const satisfies Record<string, Route>;
