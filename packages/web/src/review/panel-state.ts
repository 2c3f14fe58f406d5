import { storedCell } from "../store/stored-cell.ts";

const MAX_SESSIONS = 30;

/** The width of the review panel in this browser. Without a choice it follows the window. */
export const reviewWidth = storedCell("review.width", Math.round(Math.min(Math.max(innerWidth * 0.38, 480), 960)));

/** Sessions whose review panel is open. */
export const openReviews = storedCell<readonly string[]>("review.open", []);

export function toggleReview(session: string, open = !openReviews.get().includes(session)): void {
  openReviews.update((list) => {
    const others = list.filter((other) => other !== session).slice(-MAX_SESSIONS);
    return open ? [...others, session] : others;
  });
}

/** Files that were marked as viewed, by session. A mark is the file with its counts, so that it ends when they change. */
export const viewedFiles = storedCell<Readonly<Record<string, readonly string[]>>>("review.viewed", {});

const MAX_MARKS = 1000;

export function toggleViewed(session: string, mark: string): void {
  viewedFiles.update(({ [session]: marks = [], ...others }) => {
    const next = marks.includes(mark) ? marks.filter((other) => other !== mark) : [...marks, mark].slice(-MAX_MARKS);
    return Object.fromEntries([...Object.entries(others).slice(-MAX_SESSIONS), [session, next]]);
  });
}
