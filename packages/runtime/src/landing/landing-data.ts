import type { AffectedLane, FileChange, Landing, LandingHow, PullRequest } from "@gantry/protocol";
import type { Job } from "../jobs/job.ts";

export const LANDING = "landing";

/** The request of a landing, and the results that its steps hand on. */
export type LandingData = {
  id: string;
  lane: string;
  name: string;
  repository: string;
  path: string;
  branch?: string;
  how: LandingHow;
  into: string;
  /** First line and the rest, for commits and requests. */
  title: string;
  message?: string;
  commit: boolean;
  remove: boolean;
  tellAgents: boolean;
  /** The lead that landed it; absent for a person. */
  by?: string;
  /** Hash of the request. */
  request: string;
  /** The lane's HEAD before and after its uncommitted changes are committed. */
  before?: string;
  committed?: string;
  source?: string;
  from?: string;
  to?: string;
  files?: FileChange[];
  pr?: PullRequest;
  told?: AffectedLane[]; // prose-ignore: stored field
  removed?: boolean;
  notices?: string[];
};

/** Permanently references the former tip of the base. */
export const undoRef = (id: string) => `refs/gantry/undo/landing/${id}`;
/** References the new tip of the base while the base is moved. */
export const aimRef = (id: string) => `refs/gantry/landing/${id}`;

export function presentLanding(job: Job<LandingData>, steps: readonly { name: string }[], undone: boolean): Landing {
  const { data, error } = job;
  const { lane, name, repository, how, into, source, committed, from, to, pr, by } = data;
  const running = job.state === "running" || job.state === "undoing";
  const state = running ? "running" : job.state === "failed" ? "failed" : undone ? "undone" : "done";
  const step = running ? steps[job.at]?.name : undefined;
  const landed = job.state === "done" && from !== undefined;
  return {
    id: job.id,
    lane,
    name,
    repository,
    how,
    into,
    state,
    ...(step ? { step } : {}),
    ...(source ? { source } : {}),
    ...(committed ? { committed } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    files: data.files ?? [],
    ...(landed && state === "done" ? { undo: { ref: undoRef(job.id), command: `gantry lanes unland ${job.id}` } } : {}),
    ...(pr ? { pr } : {}),
    ...(by ? { by } : {}),
    told: data.told ?? [], // prose-ignore: API field
    removed: data.removed ?? false,
    notices: data.notices ?? [],
    ...(error ? { error: { code: error.code, message: error.message, remedy: error.remedy } } : {}),
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
  };
}

/** The message of the commit that lands a lane. */
export function landingMessage({ how, message, title, name }: LandingData): string {
  if (message) return message;
  return how === "merge" ? `Merge ${title} (lane ${name})` : title;
}
