import { storedCell } from "../store/stored-cell.ts";

const MAX_SESSIONS = 30;

/** Files that were marked as viewed, by session. A mark is the file with its counts, so that it ends when they change. */
export const viewedFiles = storedCell<Readonly<Record<string, readonly string[]>>>("review.viewed", {});

const MAX_MARKS = 1000;

export function toggleViewed(session: string, mark: string): void {
  viewedFiles.update(({ [session]: marks = [], ...others }) => {
    const next = marks.includes(mark) ? marks.filter((other) => other !== mark) : [...marks, mark].slice(-MAX_MARKS);
    return Object.fromEntries([...Object.entries(others).slice(-MAX_SESSIONS), [session, next]]);
  });
}
