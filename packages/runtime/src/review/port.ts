import type {
  AddComment,
  Changes,
  Comment,
  CommitChanges,
  CommitPlan,
  Committed,
  DiscardChanges,
  FilePatch,
  OpenedPullRequest,
  OpenPullRequest,
  PatchComment,
  Pushed,
  Reverted,
  RouteQuery,
  StageChanges,
  StagedFile,
} from "@gantry/protocol";

/**
 * What sessions changed in their files, comments on it, and commits. Methods throw `GantryError` for refused requests and
 * change nothing then. A folder without git has comments only.
 */
export interface ReviewService {
  changes(session: string, query: RouteQuery<"listChanges">): Promise<Changes>;
  file(session: string, query: RouteQuery<"changedFile">): Promise<FilePatch>;
  discard(session: string, body: DiscardChanges): Promise<Reverted>;
  /** Both return all files with staged changes. */
  stage(session: string, body: StageChanges): Promise<StagedFile[]>;
  unstage(session: string, body: StageChanges): Promise<StagedFile[]>;
  comments(session: string): Promise<Comment[]>;
  addComment(session: string, body: AddComment): Promise<Comment>;
  patchComment(session: string, comment: string, body: PatchComment): Comment;
  deleteComment(session: string, comment: string): void;
  commitPlan(session: string): Promise<CommitPlan>;
  commit(session: string, body: CommitChanges): Promise<Committed>;
  push(session: string): Promise<Pushed>;
  openPullRequest(session: string, body: OpenPullRequest): Promise<OpenedPullRequest>;
}
