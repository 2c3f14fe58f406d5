import { z } from "zod";
import { SessionId } from "../ids/schema.ts";
import type { Route } from "../routing/route.ts";
import { NewSchedule, PatchSchedule, Schedule } from "./schema.ts";

const known = ["no_such_schedule"] as const;

const refused = ["invalid", "no_such_session", "session_ended", "no_such_agent", "outside_folder"] as const;

/** Messages that are sent at a time, repeatedly, or when another session becomes idle. */
export const scheduleRoutes = {
  listSchedules: {
    method: "GET",
    path: "/v1/schedules",
    summary: "Lists schedules, oldest first; `session` selects those that send to it.",
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
      "Creates a schedule: it sends a message to a session, or creates a session with it, at a time, repeatedly, or after another session. Idempotent: the same id and body return 200 and the same schedule.",
    body: NewSchedule,
    status: 201,
    response: Schedule,
    errors: [...refused, "conflict"],
    client: "schedules.add(body)",
  },
  getSchedule: {
    method: "GET",
    path: "/v1/schedules/:id",
    summary: "Returns one schedule.",
    status: 200,
    response: Schedule,
    errors: known,
    client: "schedules.get(id)",
  },
  patchSchedule: {
    method: "PATCH",
    path: "/v1/schedules/:id",
    summary: "Changes a schedule, pauses it (`enabled: false`) or resumes it.",
    body: PatchSchedule,
    status: 200,
    response: Schedule,
    errors: [...known, ...refused, "conflict"],
    client: "schedules.change(id, body)",
  },
  deleteSchedule: {
    method: "DELETE",
    path: "/v1/schedules/:id",
    summary: "Deletes a schedule; its messages stay.",
    status: 200,
    response: z.object({ deleted: z.literal(true) }),
    errors: known,
    client: "schedules.delete(id)",
  },
  runSchedule: {
    method: "POST",
    path: "/v1/schedules/:id/run",
    summary: "Runs a schedule now. A one-time schedule counts as done.",
    bodyOptional: true,
    status: 200,
    response: Schedule,
    errors: [...known, ...refused, "conflict", "queue_full", "agent_unavailable", "unsupported"],
    client: "schedules.run(id)",
  },
} as const satisfies Record<string, Route>;
