import { z } from "zod";
import { type ErrorCode, errorTable } from "./codes.ts";

/** The body of an error response. */
export const ApiError = z.object({
  error: z.object({
    code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    remedy: z.string().optional(),
    details: z.unknown().optional(),
  }),
});

export type ApiError = z.infer<typeof ApiError>;
