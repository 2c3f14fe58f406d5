import { z } from "zod";
import { SessionId } from "../ids/schema.ts";
import type { Route } from "../routing/route.ts";
import { NewSchedule, PatchSchedule, Schedule } from "./schema.ts";

const known = ["no_such_schedule"] as const;

const refused = ["invalid", "no_such_session", "session_ended", "no_such_agent", "outside_folder"] as const;

/** Messages that are sent later, every so often, or when another session ends its work. */
export const scheduleRoutes = {
  listSchedules: {
    method: "GET",
    path: "/v1/schedules",
    summary: "Schedules, the oldest first; with `session`, those that send to it.",
    query: z.strictObject({ session: SessionId.optional() }),
    status: 200,
    response: z.object({ schedules: z.array(Schedule) }),
    errors: ["invalid"],
    client: "schedules.list(session?) > schedules",
  },
  createSchedule: {
    method: "POST",
    path: "/v1/schedules",
    summary:
      "Sends a message to a session, or begins a session with it, at a time, every so often, or after another session. The same id and body again: 200, the same schedule.",
    body: NewSchedule,
    status: 201,
    response: Schedule,
    errors: [...refused, "conflict"],
    client: "schedules.add(body)",
  },
  getSchedule: {
    method: "GET",
    path: "/v1/schedules/:id",
    summary: "One schedule.",
    status: 200,
    response: Schedule,
    errors: known,
    client: "schedules.get(id)",
  },
  patchSchedule: {
    method: "PATCH",
    path: "/v1/schedules/:id",
    summary: "Changes a schedule, pauses it (`enabled: false`) or lets it go on.",
    body: PatchSchedule,
    status: 200,
    response: Schedule,
    errors: [...known, ...refused, "conflict"],
    client: "schedules.change(id, body)",
  },
  deleteSchedule: {
    method: "DELETE",
    path: "/v1/schedules/:id",
    summary: "Removes a schedule; what it has sent stays.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: known,
    client: "schedules.delete(id)",
  },
  runSchedule: {
    method: "POST",
    path: "/v1/schedules/:id/run",
    summary: "Runs it now. One that is to run once has then run.",
    bodyOptional: true,
    status: 200,
    response: Schedule,
    errors: [...known, ...refused, "conflict", "queue_full", "agent_unavailable", "unsupported"],
    client: "schedules.run(id)",
  },
} as const satisfies Record<string, Route>;
