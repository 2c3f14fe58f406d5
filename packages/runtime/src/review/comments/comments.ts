import { existsSync, realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import {
  type AddComment,
  COMMENT_LIMITS,
  type Comment,
  type Draft,
  draft,
  GantryError,
  type PatchComment,
  type SessionView,
} from "@gantry/protocol";
import { readRegularFile } from "@gantry/trust";
import type { WorkTree } from "../../checkpoints/work-tree/work-tree.ts";
import type { WorkTrees } from "../../checkpoints/work-trees.ts";
import type { Moments } from "../moments.ts";
import {
  blobAt,
  changeHash,
  type Followed,
  followComment,
  followQuote,
  MOST_BYTES,
  pathIn,
  quoteLines,
  textOf,
} from "./anchor.ts";

export type CommentDeps = {
  moments: Moments;
  places: WorkTrees;
  id: () => string;
  /** Appends events to a session's log. */
  publish: (session: string, events: readonly Draft[]) => void;
};

/**
 * Comments on the changes of sessions. They are events, so this class holds no state: it reads the lines that a comment
 * is about, and later finds out whether they moved or changed.
 */
export class Comments {
  readonly #deps: CommentDeps;
  /** Following runs once at a time per session. */
  readonly #following = new Map<string, Promise<void>>();

  constructor(deps: CommentDeps) {
    this.#deps = deps;
  }

  async list(session: string): Promise<Comment[]> {
    await this.follow(session);
    return this.#deps.moments.view(session).comments ?? [];
  }

  async add(session: string, body: AddComment): Promise<Comment> {
    const view = this.#writable(session);
    const known = body.id && view.comments?.find(({ comment }) => comment === body.id);
    if (known) return requireSame(known, body);
    const { path, line, endLine, side, text } = body;
    const placed = await this.#place(view, body);
    const range = endLine === undefined || endLine === line ? {} : { endLine };
    const comment = body.id ?? this.#deps.id();
    requireRoom(this.#writable(session), text.length + placed.quote.length);
    this.#deps.publish(session, [draft("comment.added", { comment, path, line, ...range, side, text, ...placed })]);
    return this.#find(session, comment);
  }

  patch(session: string, comment: string, { text, state }: PatchComment): Comment {
    const view = this.#writable(session);
    const known = this.#find(session, comment);
    if (state === "open" && known.state === "resolved") requireRoom(view, known.text.length);
    const change = state && state !== known.state ? { state } : {};
    const reason = change.state === "resolved" ? { reason: "person" as const } : {};
    const changes = { ...(text !== undefined && text !== known.text ? { text } : {}), ...change, ...reason };
    if (Object.keys(changes).length > 0)
      this.#deps.publish(session, [draft("comment.updated", { comment, ...changes })]);
    return this.#find(session, comment);
  }

  delete(session: string, comment: string): void {
    this.#writable(session);
    this.#find(session, comment);
    this.#deps.publish(session, [draft("comment.removed", { comment })]);
  }

  /** Moves comments with their lines, and resolves those whose lines changed after they were sent. Idempotent. */
  follow(session: string): Promise<void> {
    const running = this.#following.get(session) ?? Promise.resolve();
    const next = running.then(() => this.#follow(session));
    const settled = next
      .catch(() => undefined)
      .finally(() => {
        if (this.#following.get(session) === settled) this.#following.delete(session);
      });
    this.#following.set(session, settled);
    return next;
  }

  async #follow(session: string): Promise<void> {
    const view = this.#deps.moments.view(session);
    const pending = (view.comments ?? []).filter(({ state }) => state !== "resolved");
    if (pending.length === 0 || view.ended || !existsSync(view.cwd)) return;
    const tree = await this.#deps.places.of(view.cwd);
    const commit = "missing" in tree ? undefined : (await tree.snapshot()).commit;
    const found: [Comment, Followed][] = [];
    for (const comment of pending) {
      const followed =
        "missing" in tree || commit === undefined || comment.blob === undefined
          ? followQuote(comment, readPlain(view.cwd, comment.path))
          : await this.#followInTree(tree, view, comment, commit);
      if (followed) found.push([comment, followed]);
    }
    const current = new Map(this.#deps.moments.view(session).comments?.map((entry) => [entry.comment, entry]));
    const events = found.flatMap(([before, followed]) => {
      const now = current.get(before.comment);
      // A person may have changed it meanwhile.
      return now && now.state !== "resolved" ? followEvents(now, followed) : [];
    });
    if (events.length > 0) this.#deps.publish(session, events);
  }

  async #followInTree(
    tree: WorkTree,
    { cwd }: SessionView,
    comment: Comment,
    commit: string,
  ): Promise<Followed | undefined> {
    const path = pathIn(tree, cwd, comment.path);
    if (path === undefined) return undefined;
    const now = await blobAt(tree, commit, path);
    try {
      return await followComment(tree, comment, now);
    } catch {
      // Git has collected the version that the comment was placed on.
      return comment.side === "old" ? undefined : followQuote(comment, now && (await textOf(tree, now)));
    }
  }

  /** The lines that a new comment is about. Throws `invalid` if the file does not have them. */
  async #place(view: SessionView, body: AddComment): Promise<Pick<Comment, "quote" | "blob" | "change">> {
    const { path, side, from = "base", to = "now" } = body;
    const tree = await this.#deps.places.of(view.cwd);
    if ("missing" in tree) {
      if (side === "old") await this.#deps.moments.tree(view);
      return { quote: requireQuote(readPlain(view.cwd, path), body) };
    }
    const raw = pathIn(tree, view.cwd, path);
    if (raw === undefined) throw new GantryError("invalid", `${path} is outside ${tree.place.root}.`);
    const end = to === "now" ? (await tree.snapshot()).commit : await this.#deps.moments.end(view, tree, to);
    const now = await blobAt(tree, end, raw);
    if (side === "new") return { quote: requireQuote(now && (await textOf(tree, now)), body), blob: now };
    const { commit } = await this.#deps.moments.start(view, tree, from);
    const blob = await blobAt(tree, commit, raw);
    const quote = requireQuote(blob && (await textOf(tree, blob)), body);
    return { quote, blob, change: await changeHash(tree, [blob ?? "", now], body) };
  }

  #writable(session: string): SessionView {
    const view = this.#deps.moments.view(session);
    if (!view.ended) return view;
    throw new GantryError("session_ended", `${session} has ended.`);
  }

  #find(session: string, comment: string): Comment {
    const found = this.#deps.moments.view(session).comments?.find((entry) => entry.comment === comment);
    if (found) return found;
    throw new GantryError("no_such_comment", `${session} has no comment ${comment}.`);
  }
}

/** An unsent comment stays open when its lines change: the agent has not received it yet. */
function followEvents(comment: Comment, { state, line, blob, change }: Followed): Draft[] {
  const { comment: id, line: first, endLine } = comment;
  const place = {
    ...(line === first ? {} : { line, ...(endLine === undefined ? {} : { endLine: endLine + line - first }) }),
    ...(blob === undefined || blob === comment.blob ? {} : { blob }),
    ...(change === undefined || change === comment.change ? {} : { change }),
  };
  const isGone = state !== "same";
  const ends =
    isGone && comment.state === "sent" ? { state: "resolved" as const, reason: state as "changed" | "deleted" } : {};
  const stays = isGone && comment.state === "open" && !comment.outdated ? { outdated: true } : {};
  const changes = { ...place, ...ends, ...stays };
  return Object.keys(changes).length === 0 ? [] : [draft("comment.updated", { comment: id, ...changes }) as Draft];
}

function requireQuote(text: string | undefined, body: AddComment): string {
  const quote = text === undefined ? undefined : quoteLines(text, body);
  if (quote !== undefined) return quote;
  const { path, line, endLine = line, side } = body;
  const when = side === "old" ? " before the changes" : "";
  const why = text === undefined ? `There is no file ${path}${when}.` : `${path} has no line ${endLine}${when}.`;
  throw new GantryError("invalid", why);
}

function requireSame(known: Comment, { path, line, side, text }: AddComment): Comment {
  const isSame = known.path === path && known.line === line && known.side === side && known.text === text;
  if (isSame) return known;
  throw new GantryError("conflict", `${known.comment} exists already with other content.`, {
    remedy: "Use another id, or omit it.",
  });
}

function requireRoom({ id, comments = [] }: SessionView, more: number): void {
  const pending = comments.filter(({ state }) => state !== "resolved");
  const size = pending.reduce((sum, { text, quote }) => sum + text.length + quote.length, more);
  if (pending.length < COMMENT_LIMITS.unresolved && size <= COMMENT_LIMITS.characters) return;
  throw new GantryError("queue_full", `${id} has too many unresolved comments.`, {
    remedy: "Send or resolve some of them first.",
  });
}

/** A file in a folder without git. Never leaves the folder, also not through a link. */
function readPlain(cwd: string, path: string): string | undefined {
  try {
    const root = realpathSync(cwd);
    const file = realpathSync(resolve(root, path));
    return file.startsWith(root + sep) ? readRegularFile(file, MOST_BYTES)?.toString("utf8") : undefined;
  } catch {
    return undefined;
  }
}
