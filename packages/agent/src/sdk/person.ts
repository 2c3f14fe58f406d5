import { errorText } from "../contract/errors.ts";
import type { Person } from "../contract/ports.ts";
import type { Answer, Question } from "../contract/tool.ts";
import type { Approval, ApprovalRequest } from "../permissions/action.ts";

/** `true` allows the call once, `false` denies it. `session` allows it and similar calls for the rest of the session. */
export type ApprovalReply = boolean | Approval["decision"] | Approval;

/** Decides about one call. `signal` is aborted when the answer is no longer needed. An error that it throws denies the call. */
export type ApproveCallback = (
  request: ApprovalRequest,
  signal: AbortSignal,
) => ApprovalReply | PromiseLike<ApprovalReply>;

/** Answers questions of the model. `undefined`: no answer. An error that it throws counts as no answer. */
export type AnswerCallback = (
  questions: readonly Question[],
  signal: AbortSignal,
) => readonly Answer[] | undefined | PromiseLike<readonly Answer[] | undefined>;

type Callbacks = { approve?: ApproveCallback | undefined; answer?: AnswerCallback | undefined };

/** The person behind the callbacks of a program. `undefined` without callbacks: then approvals are denied at once. */
export function createCallbackPerson({ approve, answer }: Callbacks): Person | undefined {
  if (!approve && !answer) return undefined;
  return {
    async approve(request, signal) {
      if (!approve) return { decision: "deny", reason: "The program that runs this agent does not approve calls." };
      try {
        return approvalOf(await approve(request, signal));
      } catch (error) {
        return { decision: "deny", reason: `The approval failed: ${errorText(error)}` };
      }
    },
    async ask(questions, signal) {
      try {
        const answers = await answer?.(questions, signal);
        return answers && [...answers];
      } catch {
        return undefined;
      }
    },
  };
}

/** A reply of another type than promised denies: a mistake in a program must not allow a call. */
function approvalOf(reply: ApprovalReply): Approval {
  if (reply === true || reply === "once") return { decision: "once" };
  if (reply === "session") return { decision: "session" };
  if (typeof reply !== "object" || reply === null) return { decision: "deny" };
  return reply.decision === "once" || reply.decision === "session" || reply.decision === "deny"
    ? reply
    : { decision: "deny" };
}
