import { Mistake } from "@gantry/protocol";

/** The mistakes with their lines that an error of the API carries. */
export function mistakesIn(details: unknown): Mistake[] {
  return Mistake.array().safeParse(details).data ?? [];
}
