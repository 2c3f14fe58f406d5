import { z } from "zod";

/** A day or a time in a query. */
export const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "must be a date or an ISO time",
});

/** The time of a moment. A date without a time starts at midnight in the local time zone. */
export function toInstant(given: string): string;
export function toInstant(given: string | undefined): string | undefined;
export function toInstant(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  return new Date(given.length === 10 ? `${given}T00:00:00` : given).toISOString();
}
