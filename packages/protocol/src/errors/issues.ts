import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** The issues of a validation error. For a union, only the issues of the variant with the fewest are returned. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap(flattenIssue);
}

function flattenIssue(issue: Issue): Issue[] {
  if (issue.code === "invalid_key") return issue.issues.map(({ message }) => ({ ...issue, message }));
  if (issue.code !== "invalid_union") return [issue];
  const [nearest] = [...issue.errors].sort((a, b) => a.length - b.length);
  if (!nearest) return [issue];
  return nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })).flatMap(flattenIssue);
}
