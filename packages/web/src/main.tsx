import "./styles.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { tendNotifications } from "./shell/notifications/notifications.ts";
import { scanAgents } from "./store/agents.ts";
import { flushCells } from "./store/cell.ts";
import { tendDrafts } from "./store/drafts.ts";
import { runFeed } from "./store/feed.ts";
import { tendOutbox } from "./store/outbox.ts";
import { applyTheme } from "./store/preferences.ts";
import { redeemTicket } from "./store/ticket.ts";

applyTheme();
addEventListener("pagehide", flushCells);
await redeemTicket();
// A session's page comes while the frame around it is drawn, and asks for its events as soon as it is there.
if (location.pathname.startsWith("/s/")) void import("./session/session-page.tsx");
void runFeed(new AbortController().signal);
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
