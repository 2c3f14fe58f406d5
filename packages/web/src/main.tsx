import "./styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { startNotifications } from "./shell/notifications/notifications.ts";
import { scanAgents } from "./store/agents.ts";
import { flushCells } from "./store/cell.ts";
import { tendDrafts } from "./store/drafts.ts";
import { openedSession } from "./store/early.ts";
import { runFeed } from "./store/feed.ts";
import { tendOutbox } from "./store/outbox.ts";
import { applyTheme } from "./store/preferences.ts";
import { loadSession } from "./store/sessions.ts";
import { redeemTicket } from "./store/ticket.ts";

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
tendDrafts();
tendOutbox();
startNotifications();
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
