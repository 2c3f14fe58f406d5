import "./styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startNotifications } from "./shell/notifications/notifications.ts";
import { scanAgents } from "./store/agents.ts";
import { flushCells } from "./store/cell.ts";
import { client } from "./store/connection/client.ts";
import { storePageCredential } from "./store/connection/credential.ts";
import { openedSession } from "./store/connection/prefetch.ts";
import { startDrafts } from "./store/outgoing/drafts.ts";
import { startOutbox } from "./store/outgoing/outbox.ts";
import { applyTheme } from "./store/preferences.ts";
import { runFeed } from "./store/sessions/feed.ts";
import { loadSession } from "./store/sessions/sessions.ts";

const FIRST_PAINT_WAIT_MS = 80;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

applyTheme();
addEventListener("pagehide", flushCells);
await redeemTicket();
void runFeed(new AbortController().signal);
// The prefetched session arrives in a moment: wait for it briefly, so that the first paint already shows it.
if (openedSession) await Promise.race([loadSession(openedSession).catch(() => undefined), pause(FIRST_PAINT_WAIT_MS)]);
// A scan may start agent processes: keep it out of the first paint.
setTimeout(scanAgents, 250);
startDrafts();
startOutbox();
startNotifications();
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

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
