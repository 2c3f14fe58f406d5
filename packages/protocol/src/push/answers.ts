import type { InputRequest } from "../inputs/schema.ts";

/** Whether the buttons of a notification can answer a request. Questions, plans, forms and logins need the page. */
export function hasButtonAnswers({ kind, questions }: InputRequest): boolean {
  return (kind === "approval" || kind === "permissions") && questions.length === 0;
}
