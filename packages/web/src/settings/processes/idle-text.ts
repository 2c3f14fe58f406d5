import type { LiveProcess } from "@gantry/protocol";
import { formatDuration } from "../../ui/display/format.ts";

/** How long a process has been idle and when it is released; `undefined` for one that is not idle. */
export function idleText({ idleSince, releaseAt }: LiveProcess, now: number): string | undefined {
  if (!idleSince || !releaseAt) return undefined;
  const idle = wholeSeconds(now - Date.parse(idleSince));
  const left = Date.parse(releaseAt) - now;
  const then = left < 1000 ? "released now" : `released in ${wholeSeconds(left)}`;
  return `idle for ${idle}, ${then}`;
}

/** Without fractions: the list is loaded every few seconds. */
function wholeSeconds(ms: number): string {
  return formatDuration(Math.max(1000, Math.round(ms / 1000) * 1000));
}
