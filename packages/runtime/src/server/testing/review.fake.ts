import type { Comment } from "@gantry/protocol";
import type { ReviewService } from "../../review/port.ts";

const comment: Comment = {
  ...{ comment: "cmt_1", path: "a.txt", line: 1, side: "new", text: "Why?", quote: "a", state: "open" },
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

/** Replaces the review of sessions with fixed answers. */
export const fakeReview: ReviewService = {
  changes: async () => ({
    ...{ files: [], base: "a", to: "b", cut: false, live: false, left: [] },
    total: { files: 0, additions: 0, deletions: 0 },
  }),
  file: async (_, { path }) => ({ path, patch: "", cut: false }),
  discard: async () => ({ to: "before", done: false, files: [] }),
  stage: async (_, { paths }) => paths.map((path) => ({ path, partly: false })),
  unstage: async () => [],
  comments: async () => [comment],
  addComment: async () => comment,
  patchComment: (_, id) => ({ ...comment, comment: id }),
  deleteComment: () => {},
  commitPlan: async () => ({ root: "/", changes: 0, unpushed: 0, remotes: [], staged: [], message: "Change files" }),
  commit: async () => ({ commit: "c", message: "Change it", files: [], notices: [] }),
  push: async () => ({ branch: "b", remote: "origin" }),
  openPullRequest: async () => ({ pr: { remote: "origin", branch: "b" }, into: "main", dirty: false, notices: [] }),
};
