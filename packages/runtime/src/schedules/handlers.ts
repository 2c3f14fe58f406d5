import type { NewSchedule, PatchSchedule, Schedule } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";
import type { SessionService } from "../session/api.ts";

/** Every schedule of the daemon. Methods throw `GantryError` for mistakes of the client and have then changed nothing. */
export interface ScheduleService {
  list(session?: string): Schedule[];
  get(id: string): Schedule;
  /** `created` is false when the same id and body were given before. */
  add(body: NewSchedule): { schedule: Schedule; created: boolean };
  change(id: string, body: PatchSchedule): Schedule;
  delete(id: string): void;
  /** Runs a schedule now. Throws the reason if that is not possible. */
  run(id: string): Promise<Schedule>;
}

type ScheduleHandlers = Pick<
  Handlers,
  "listSchedules" | "createSchedule" | "getSchedule" | "patchSchedule" | "deleteSchedule" | "runSchedule"
>;

export function scheduleHandlers(
  schedules: ScheduleService,
  sessions: Pick<SessionService, "requireChoices">,
): ScheduleHandlers {
  return {
    listSchedules: ({ query }) => ({ json: { schedules: schedules.list(query.session) } }),
    createSchedule: async ({ body }) => {
      if (body.create) await sessions.requireChoices(body.create.agent, body.create);
      const { schedule, created } = schedules.add(body);
      return { json: schedule, status: created ? 201 : 200 };
    },
    getSchedule: ({ params }) => ({ json: schedules.get(params.id) }),
    patchSchedule: ({ params, body }) => ({ json: schedules.change(params.id, body) }),
    deleteSchedule: ({ params }) => {
      schedules.delete(params.id);
      return { json: { deleted: true } };
    },
    runSchedule: async ({ params }) => ({ json: await schedules.run(params.id) }),
  };
}
