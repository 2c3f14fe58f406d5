import type { Handlers } from "../server/handler.ts";
import type { ReviewService } from "./port.ts";

type ReviewHandlers = Pick<
  Handlers,
  | "listChanges"
  | "changedFile"
  | "discardChanges"
  | "stageChanges"
  | "unstageChanges"
  | "listComments"
  | "addComment"
  | "patchComment"
  | "deleteComment"
  | "commitPlan"
  | "commitChanges"
  | "pushCommits"
  | "openPullRequest"
>;

/** `open` loads the service with the first call. */
export function reviewHandlers({ open }: { open: () => Promise<ReviewService> }): ReviewHandlers {
  return {
    listChanges: async ({ params, query }) => ({ json: await (await open()).changes(params.id, query) }),
    changedFile: async ({ params, query }) => ({ json: await (await open()).file(params.id, query) }),
    discardChanges: async ({ params, body }) => ({ json: await (await open()).discard(params.id, body) }),
    stageChanges: async ({ params, body }) => ({ json: { staged: await (await open()).stage(params.id, body) } }),
    unstageChanges: async ({ params, body }) => ({ json: { staged: await (await open()).unstage(params.id, body) } }),
    listComments: async ({ params }) => ({ json: { comments: await (await open()).comments(params.id) } }),
    addComment: async ({ params, body }) => ({ json: await (await open()).addComment(params.id, body) }),
    patchComment: async ({ params, body }) => ({
      json: (await open()).patchComment(params.id, params.comment, body),
    }),
    deleteComment: async ({ params }) => {
      (await open()).deleteComment(params.id, params.comment);
      return { json: { deleted: true } };
    },
    commitPlan: async ({ params }) => ({ json: await (await open()).commitPlan(params.id) }),
    commitChanges: async ({ params, body }) => ({ json: await (await open()).commit(params.id, body) }),
    pushCommits: async ({ params }) => ({ json: await (await open()).push(params.id) }),
    openPullRequest: async ({ params, body }) => ({ json: await (await open()).openPullRequest(params.id, body) }),
  };
}
