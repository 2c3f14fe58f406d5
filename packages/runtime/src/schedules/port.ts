import type { NewSchedule, PatchSchedule, Schedule } from "@gantry/protocol";

/** Every schedule of the daemon. Methods throw `GantryError` for what the caller did wrong; then nothing has changed. */
export interface ScheduleService {
  list(session?: string): Schedule[];
  get(id: string): Schedule;
  /** `created` is false when the same id and body were given before. */
  add(body: NewSchedule): { schedule: Schedule; created: boolean };
  change(id: string, body: PatchSchedule): Schedule;
  delete(id: string): void;
  /** Now, whatever its time is. Throws what is in the way. */
  run(id: string): Promise<Schedule>;
}
