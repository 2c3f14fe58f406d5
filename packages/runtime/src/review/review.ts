import type {
  AddComment,
  Changes,
  Comment,
  CommitChanges,
  CommitPlan,
  Committed,
  DiscardChanges,
  Draft,
  FilePatch,
  IdKind,
  OpenedPullRequest,
  OpenPullRequest,
  PatchComment,
  Pushed,
  Reverted,
  RouteQuery,
  StageChanges,
  StagedFile,
} from "@gantry/protocol";
import type { openCheckpoints } from "../checkpoints/open-checkpoints.ts";
import type { LandingService } from "../landing/port.ts";
import type { Git } from "../lanes/git/git.ts";
import type { LaneRoom } from "../lanes/port.ts";
import type { Store } from "../log/port.ts";
import { type ChangeDeps, discardChanges, listChanges, readPatch } from "./changes.ts";
import { Comments } from "./comments/comments.ts";
import { Commits } from "./commits.ts";
import { Moments } from "./moments.ts";
import type { ReviewService } from "./port.ts";
import { Staging } from "./staging/staging.ts";

export type ReviewDeps = {
  git: Git;
  store: Store;
  checkpoints: ReturnType<typeof openCheckpoints>;
  lanes: LaneRoom;
  landing: LandingService;
  home: string;
  /** Environment of agents, which `gh` shares. */
  env: Record<string, string>;
  id: (kind: IdKind) => string;
  /** Appends events to a session's log. */
  publish: (session: string, events: readonly Draft[]) => void;
};

/** Review of what sessions changed. Loaded with the first call that needs it. */
export class Review implements ReviewService {
  readonly #changes: ChangeDeps;
  readonly #comments: Comments;
  readonly #commits: Commits;
  readonly #staging: Staging;

  constructor({ checkpoints, id, ...deps }: ReviewDeps) {
    const { places, service, turnCheckpoints } = checkpoints;
    const moments = new Moments({ ...deps, places, checkpoints: service });
    this.#changes = { moments, checkpoints: service, turnCheckpoints };
    this.#comments = new Comments({ ...deps, moments, places, id: () => id("comment") });
    this.#staging = new Staging({ git: deps.git, moments, turnCheckpoints });
    this.#commits = new Commits({ ...deps, moments, turnCheckpoints, id: () => id("job") });
  }

  /** Comments follow the files that the caller sees, in the background. */
  async changes(session: string, query: RouteQuery<"listChanges">): Promise<Changes> {
    const changes = await listChanges(this.#changes, session, query);
    void this.#comments.follow(session).catch(() => undefined);
    return changes;
  }

  file(session: string, query: RouteQuery<"changedFile">): Promise<FilePatch> {
    return readPatch(this.#changes, session, query);
  }

  discard(session: string, body: DiscardChanges): Promise<Reverted> {
    return discardChanges(this.#changes, session, body);
  }

  stage(session: string, body: StageChanges): Promise<StagedFile[]> {
    return this.#staging.stage(session, body);
  }

  unstage(session: string, body: StageChanges): Promise<StagedFile[]> {
    return this.#staging.unstage(session, body);
  }

  comments(session: string): Promise<Comment[]> {
    return this.#comments.list(session);
  }

  addComment(session: string, body: AddComment): Promise<Comment> {
    return this.#comments.add(session, body);
  }

  patchComment(session: string, comment: string, body: PatchComment): Comment {
    return this.#comments.patch(session, comment, body);
  }

  deleteComment(session: string, comment: string): void {
    this.#comments.delete(session, comment);
  }

  /** Moves and resolves comments after files changed. */
  followLines(session: string): Promise<void> {
    return this.#comments.follow(session);
  }

  commitPlan(session: string): Promise<CommitPlan> {
    return this.#commits.plan(session);
  }

  commit(session: string, body: CommitChanges): Promise<Committed> {
    return this.#commits.commit(session, body);
  }

  push(session: string): Promise<Pushed> {
    return this.#commits.push(session);
  }

  openPullRequest(session: string, body: OpenPullRequest): Promise<OpenedPullRequest> {
    return this.#commits.openPullRequest(session, body);
  }
}
