import type { ScheduleService } from "../../schedules/port.ts";
import type { Handlers } from "../handler.ts";

type ScheduleRoutes = Pick<
  Handlers,
  "listSchedules" | "createSchedule" | "getSchedule" | "patchSchedule" | "deleteSchedule" | "runSchedule"
>;

export function scheduleRoutes(schedules: ScheduleService): ScheduleRoutes {
  return {
    listSchedules: ({ query }) => ({ json: { schedules: schedules.list(query.session) } }),
    createSchedule: ({ body }) => {
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
