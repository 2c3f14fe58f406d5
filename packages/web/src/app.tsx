import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { Route, Switch, useLocation } from "wouter";
import { Banner } from "./shell/banner.tsx";
import { Locked } from "./shell/locked.tsx";
import { listenForShortcuts, useShortcuts } from "./shell/shortcuts.ts";
import { Sidebar } from "./shell/sidebar.tsx";
import { useCell } from "./store/cell.ts";
import { connection } from "./store/connection.ts";
import { Empty } from "./ui/empty.tsx";
import { Toaster } from "./ui/toaster.tsx";

const Board = lazy(() => import("./board/board.tsx"));
const NewSession = lazy(() => import("./composer/new-session.tsx"));
const SessionPage = lazy(() => import("./session/session-page.tsx"));
const Inbox = lazy(() => import("./inbox/inbox.tsx"));
const Agents = lazy(() => import("./agents/agents.tsx"));
const Lanes = lazy(() => import("./lanes/lanes.tsx"));
const Models = lazy(() => import("./models/models.tsx"));
const Usage = lazy(() => import("./usage/usage.tsx"));
const SettingsPage = lazy(() => import("./settings/settings.tsx"));
const Search = lazy(() => import("./search/search.tsx"));

/** The frame around every view, and which view stands at which path. */
export function App() {
  useEffect(listenForShortcuts, []);
  useShortcuts(usePlaceShortcuts());
  if (useCell(connection).state === "locked") return <Locked />;
  return (
    <div className="flex h-full flex-col">
      <Banner />
      <div className="flex min-h-0 grow">
        <Sidebar />
        <main className="flex min-w-0 grow flex-col bg-surface">
          <Suspense fallback={null}>
            <Views />
          </Suspense>
        </main>
      </div>
      <Toaster />
    </div>
  );
}

function Views(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={Board} />
      <Route path="/new" component={NewSession} />
      <Route path="/s/:id">{({ id }) => <SessionPage key={id} id={id} />}</Route>
      <Route path="/inbox" component={Inbox} />
      <Route path="/agents" component={Agents} />
      <Route path="/lanes" component={Lanes} />
      <Route path="/models" component={Models} />
      <Route path="/usage" component={Usage} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/search" component={Search} />
      <Route>
        <Empty title="There is nothing at this address" />
      </Route>
    </Switch>
  );
}

function usePlaceShortcuts() {
  const [, go] = useLocation();
  const place = (keys: string, does: string, path: string) => ({ keys, does, run: () => go(path) });
  return [
    place("g b", "Go to the board", "/"),
    place("g i", "Go to the inbox", "/inbox"),
    place("g a", "Go to the agents", "/agents"),
    place("g l", "Go to the lanes", "/lanes"),
    place("g m", "Go to the models", "/models"),
    place("g u", "Go to the usage", "/usage"),
    place("g s", "Go to the settings", "/settings"),
    place("/", "Search everything", "/search"),
    place("c", "New session", "/new"),
  ];
}
