import type { Activity, Delta, DeltaChannel, LiveFrame, Removed, Retry, Snapshot } from "@gantry/protocol";
import { Cell } from "../cell.ts";
import { client } from "../connection/client.ts";

/** The text of an open item so far, by channel. */
export type LiveItem = Partial<Record<DeltaChannel, string>>;

const items = new Map<string, Cell<LiveItem>>();
const open = new Map<string, Cell<readonly string[]>>();
const activities = new Map<string, Cell<Activity | Retry | undefined>>();
const fetching = new Set<string>();

/** The text of an item while it is open. */
export function liveItem(session: string, item: string): Cell<LiveItem> {
  return cellIn(items, `${session}/${item}`, {});
}

/** The streaming items of a session that have no durable event yet, oldest first. */
export function openItems(session: string): Cell<readonly string[]> {
  return cellIn(open, session, []);
}

/** The current activity of a session's agent. */
export function liveActivity(session: string): Cell<Activity | Retry | undefined> {
  return cellIn(activities, session, undefined);
}

export function applyLiveFrame(frame: Exclude<LiveFrame, Removed>): void {
  if (frame.type === "delta") takeDelta(frame);
  else liveActivity(frame.session).set(frame);
}

/** Replaces the open items of a session by those of the snapshot. */
export function applySnapshot(snapshot: Snapshot): void {
  forgetLive(snapshot.session);
  for (const { item, channel, text } of snapshot.open) {
    liveItem(snapshot.session, item).update((value) => ({ ...value, [channel]: text }));
    noteOpen(snapshot.session, item);
  }
}

/** Removes the live text of an item whose durable event has arrived. */
export function closeItem(session: string, item: string): void {
  items.delete(`${session}/${item}`);
  openItems(session).update((list) => (list.includes(item) ? list.filter((id) => id !== item) : list));
}

/** Removes all live state of a session whose turn has ended or that was deleted. */
export function forgetLive(session: string): void {
  for (const item of openItems(session).get()) items.delete(`${session}/${item}`);
  openItems(session).set([]);
  liveActivity(session).set(undefined);
}

function takeDelta({ session, item, channel, offset, text }: Delta): void {
  const cell = liveItem(session, item);
  const before = cell.get()[channel] ?? "";
  noteOpen(session, item);
  if (before.length === offset) cell.set({ ...cell.get(), [channel]: before + text });
  else if (before.length < offset) void fetchWhole(session, item, channel);
}

/** Fetches the whole text after dropped frames. */
async function fetchWhole(session: string, item: string, channel: DeltaChannel): Promise<void> {
  const key = `${session}/${item}`;
  if (fetching.has(key)) return;
  fetching.add(key);
  try {
    const found = await client.sessions.item(session, item);
    if (!found.open) return;
    const cell = items.get(key);
    cell?.update((value) => {
      const longer = found.text.length > (value[channel] ?? "").length;
      return longer ? { ...value, [channel]: found.text } : value;
    });
  } catch {
    // The durable event will contain the whole text.
  } finally {
    fetching.delete(key);
  }
}

function noteOpen(session: string, item: string): void {
  openItems(session).update((list) => (list.includes(item) ? list : [...list, item]));
}

function cellIn<T>(map: Map<string, Cell<T>>, key: string, initial: T): Cell<T> {
  const known = map.get(key);
  if (known) return known;
  const cell = new Cell(initial);
  map.set(key, cell);
  return cell;
}
