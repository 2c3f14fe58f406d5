import { openSessions } from "../../store/sessions/open-sessions.ts";

/** The path that each other focused tab of this browser shows, by tab. */
const others = new Map<string, string>();
const tab = crypto.randomUUID();
const channel = new BroadcastChannel("gantry.view");
let path = location.pathname;

type Announcement = { tab: string; path?: string };

channel.onmessage = ({ data }: MessageEvent<Announcement>) => {
  if (data.path === undefined) others.delete(data.tab);
  else others.set(data.tab, data.path);
};

/** Announces to the other tabs which path this tab shows. */
export function announceView(next: string): void {
  path = next;
  announce();
}

/** Whether any focused tab shows this session. */
export function isInView(session: string): boolean {
  const shown = document.hasFocus() ? [path, ...others.values()] : [...others.values()];
  return shown.some((place) => openSessions(place).includes(session));
}

function announce(): void {
  channel.postMessage({ tab, path: document.hasFocus() ? path : undefined } satisfies Announcement);
}

addEventListener("focus", announce);
addEventListener("blur", announce);
addEventListener("pagehide", () => channel.postMessage({ tab } satisfies Announcement));
