import "./styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { listenForInstallOffer } from "./shell/install.ts";
import { startNotifications } from "./shell/notifications/notifications.ts";
import { startWorker } from "./shell/notifications/worker.ts";
import { scanAgents } from "./store/agents.ts";
import { flushCells } from "./store/cell.ts";
import { client } from "./store/connection/client.ts";
import { storePageCredential } from "./store/connection/credential.ts";
import { openedSession } from "./store/connection/prefetch.ts";
import { firstPaint } from "./store/first-paint.ts";
import { startDrafts } from "./store/outgoing/drafts.ts";
import { startOutbox } from "./store/outgoing/outbox.ts";
import { applyTheme } from "./store/preferences.ts";
import { runFeed } from "./store/sessions/feed.ts";
import { loadSession } from "./store/sessions/sessions.ts";
import { storeCells } from "./store/stored-cell.ts";
import { windowOf } from "./transcript/window/window-cache.ts";

const FIRST_PAINT_WAIT_MS = 150;
const SCAN_DELAY_MS = 250;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

applyTheme();
addEventListener("pagehide", storeCells);
listenForInstallOffer();
await redeemTicket();
if (openedSession) {
  // The prefetched session and its events arrive in a moment: wait briefly, so that the first paint already shows them.
  const events = location.hash ? undefined : windowOf(openedSession).loadLatest().then(flushCells);
  const loaded = Promise.all([loadSession(openedSession), events]).catch(() => undefined);
  await Promise.race([loaded, pause(FIRST_PAINT_WAIT_MS)]);
  void firstPaint.then(startBackgroundWork);
} else startBackgroundWork();
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

/** Starts what the first paint of a session does without. */
function startBackgroundWork(): void {
  void runFeed(new AbortController().signal);
  startDrafts();
  startOutbox();
  startNotifications();
  void firstPaint.then(startWorker);
  // A scan may start agent processes.
  void firstPaint.then(() => setTimeout(scanAgents, SCAN_DELAY_MS));
}

/**
 * Exchanges the ticket in the address for a credential, and removes it from the address. A ticket that was used before
 * (a reload, a restored tab) is ignored: the credential that it gave may still be valid.
 */
async function redeemTicket(): Promise<void> {
  const ticket = new URLSearchParams(location.hash.slice(1)).get("ticket");
  if (!ticket) return;
  history.replaceState(null, "", location.pathname + location.search);
  await client.redeem(ticket).then(storePageCredential, () => undefined);
}
