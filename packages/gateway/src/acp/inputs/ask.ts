import { type Answers, GantryError, type InputAnswer, type InputRequest } from "@gantry/protocol";
import type { EditorClient } from "../session/editor-client.ts";
import { formFor, readForm } from "./elicitation.ts";
import { type PermissionRequest, permissionFor, permissionForQuestion } from "./permission.ts";

/**
 * Asks the user of one editor. `undefined`: this editor gives no answer, and the input stays open for other clients. Rejects if
 * the editor refuses the request. `signal` closes the dialog: another client has answered.
 */
export async function askEditor(
  editor: EditorClient,
  session: string,
  input: InputRequest,
  signal: AbortSignal,
): Promise<InputAnswer | undefined> {
  if (input.questions.length === 0) return choose(editor, session, permissionFor(input), signal);
  if (editor.elicit) {
    const reply = await editor.elicit(session, { ...formFor(input), tool: input.item }, signal);
    if (reply.action === "accept") return readForm(input, reply.content ?? {});
    return reply.action === "decline" ? { decision: "deny" } : undefined;
  }
  const answers: Answers = {};
  for (const question of input.questions) {
    const answer = await choose(editor, session, permissionForQuestion(input, question), signal);
    if (!answer?.answers) return answer;
    Object.assign(answers, answer.answers);
  }
  return { decision: "allow", answers };
}

async function choose(
  editor: EditorClient,
  session: string,
  request: PermissionRequest,
  signal: AbortSignal,
): Promise<InputAnswer | undefined> {
  const id = await editor.requestPermission(session, request, signal);
  if (id === undefined) return undefined;
  const choice = request.choices.find((one) => one.id === id);
  if (choice) return choice.answer;
  throw new GantryError("invalid", `The request has no option ${id}.`);
}
