import { z } from "zod";

/**
 * A whole number in a query, in plain decimal digits. `Number` would also accept other bases, exponents, signs, fractions
 * and spaces, so that two programs on the way could read two different numbers.
 */
export function decimal(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,15})$/, "must be a whole number in decimal digits")
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));
}
