/** What each of the other tabs of this browser shows, as long as it has the focus. */
const others = new Map<string, string>();
const tab = crypto.randomUUID();
const channel = new BroadcastChannel("gantry.view");
let path = location.pathname;

type Announcement = { tab: string; path?: string };

channel.onmessage = ({ data }: MessageEvent<Announcement>) => {
  if (data.path === undefined) others.delete(data.tab);
  else others.set(data.tab, data.path);
};

/** Tells the other tabs what the reader has before him here. */
export function nowShowing(next: string): void {
  path = next;
  announce();
}

/** Does the reader have this session before him, in whichever tab? What waits is seen in the inbox as well. */
export function isInView(session: string): boolean {
  const shown = document.hasFocus() ? [path, ...others.values()] : [...others.values()];
  return shown.some((place) => place === `/s/${session}`);
}

function announce(): void {
  channel.postMessage({ tab, path: document.hasFocus() ? path : undefined } satisfies Announcement);
}

addEventListener("focus", announce);
addEventListener("blur", announce);
addEventListener("pagehide", () => channel.postMessage({ tab } satisfies Announcement));
