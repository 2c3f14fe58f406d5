import type { InputRequest } from "@gantry/protocol";

type Asked = Pick<InputRequest, "id" | "requestedAt">;

/** The order of the inbox: the oldest first. Ids are ordered by time, for requests of older logs. */
export function compareInputs(a: Asked, b: Asked): number {
  const [first, second] =
    a.requestedAt && b.requestedAt && a.requestedAt !== b.requestedAt ? [a.requestedAt, b.requestedAt] : [a.id, b.id];
  return first === second ? 0 : first < second ? -1 : 1;
}
