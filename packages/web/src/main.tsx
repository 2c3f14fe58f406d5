import "./styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { tendNotifications } from "./shell/notifications/notifications.ts";
import { scanAgents } from "./store/agents.ts";
import { flushCells } from "./store/cell.ts";
import { tendDrafts } from "./store/drafts.ts";
import { openedSession } from "./store/early.ts";
import { runFeed } from "./store/feed.ts";
import { tendOutbox } from "./store/outbox.ts";
import { applyTheme } from "./store/preferences.ts";
import { loadSession } from "./store/sessions.ts";
import { redeemTicket } from "./store/ticket.ts";

const PATIENCE_MS = 80;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

applyTheme();
addEventListener("pagehide", flushCells);
await redeemTicket();
void runFeed(new AbortController().signal);
// What was asked for early is there in a moment: then it is drawn at once, and not after a frame without it.
if (openedSession) await Promise.race([loadSession(openedSession).catch(() => undefined), pause(PATIENCE_MS)]);
// Asking for agents may start programs: not in the moment in which someone waits for the page.
setTimeout(scanAgents, 250);
tendDrafts();
tendOutbox();
tendNotifications();
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
