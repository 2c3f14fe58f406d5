import { type ReactNode, useEffect } from "react";
import { Route, Switch, useLocation } from "wouter";
import SessionPage from "./session/session-page.tsx";
import { Banner } from "./shell/banner.tsx";
import { Locked } from "./shell/locked.tsx";
import { OverlayViews } from "./shell/overlay-views.tsx";
import { toggleOverlay, toggleSidebar } from "./shell/overlays.ts";
import { PageTitle } from "./shell/page-title.tsx";
import { places } from "./shell/places.tsx";
import { listenForShortcuts, type Shortcut, useShortcuts } from "./shell/shortcuts.ts";
import { Sidebar } from "./shell/sidebar/sidebar.tsx";
import { useFocusOnNavigation } from "./shell/use-focus-on-navigation.ts";
import { useCell } from "./store/cell.ts";
import { connection } from "./store/connection.ts";
import { Boundary } from "./ui/boundary.tsx";
import { Empty } from "./ui/empty.tsx";
import { Failed } from "./ui/failed.tsx";
import { lazyView } from "./ui/lazy-view.tsx";
import { Toaster } from "./ui/toaster.tsx";

const Board = lazyView(() => import("./board/board.tsx"));
const NewSession = lazyView(() => import("./composer/new-session.tsx"));
const Inbox = lazyView(() => import("./inbox/inbox.tsx"));
const Agents = lazyView(() => import("./agents/agents.tsx"));
const Lanes = lazyView(() => import("./lanes/lanes.tsx"));
const LanePage = lazyView(() => import("./lanes/lane/lane-page.tsx"));
const LaunchForm = lazyView(() => import("./launch/launch-form.tsx"));
const LaunchPage = lazyView(() => import("./launch/launch-page.tsx"));
const ComparePage = lazyView(() => import("./launch/compare/compare-page.tsx"));
const Identities = lazyView(() => import("./identities/identities.tsx"));
const ImportPage = lazyView(() => import("./transfer/import-page.tsx"));
const Models = lazyView(() => import("./models/models.tsx"));
const Usage = lazyView(() => import("./usage/usage.tsx"));
const SettingsPage = lazyView(() => import("./settings/settings.tsx"));
const Search = lazyView(() => import("./search/search.tsx"));

/** The frame around every view, and which view stands at which path. */
export function App() {
  useEffect(listenForShortcuts, []);
  useShortcuts(useEverywhere());
  const main = useFocusOnNavigation();
  if (useCell(connection).state === "locked") return <Locked />;
  return (
    <div className="flex h-full flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-raised px-3 py-1.5 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <PageTitle />
      <Banner />
      <div className="flex min-h-0 grow max-[799px]:flex-col">
        <Sidebar />
        <main ref={main} id="main" tabIndex={-1} className="flex min-h-0 min-w-0 grow flex-col bg-surface outline-none">
          <Views />
        </main>
      </div>
      <OverlayViews />
      <Toaster />
    </div>
  );
}

/** A view that cannot be drawn leaves the frame, and so every other view, within reach. */
function Views(): ReactNode {
  const [path] = useLocation();
  const failed = (error: unknown, again: () => void) => (
    <div className="p-5">
      <Failed error={error} onRetry={again} />
    </div>
  );
  return (
    <Boundary of={path} instead={failed}>
      <Routes />
    </Boundary>
  );
}

function Routes(): ReactNode {
  return (
    <Switch>
      <Route path="/" component={Board} />
      <Route path="/new" component={NewSession} />
      <Route path="/s/:id">{({ id }) => <SessionPage key={id} id={id} />}</Route>
      <Route path="/inbox" component={Inbox} />
      <Route path="/agents" component={Agents} />
      <Route path="/lanes" component={Lanes} />
      <Route path="/lanes/:id">{({ id }) => <LanePage key={id} id={id} />}</Route>
      <Route path="/launch" component={LaunchForm} />
      <Route path="/launches/:id">{({ id }) => <LaunchPage key={id} id={id} />}</Route>
      <Route path="/compare" component={ComparePage} />
      <Route path="/identities" component={Identities} />
      <Route path="/import" component={ImportPage} />
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

/** What keys do in every view. */
function useEverywhere(): Shortcut[] {
  const [, go] = useLocation();
  return [
    { keys: "mod+k", does: "Go anywhere, do anything", run: () => toggleOverlay("palette"), whileTyping: true },
    { keys: "mod+b", does: "Show or hide the sidebar", run: toggleSidebar, whileTyping: true },
    { keys: "?", does: "Keyboard shortcuts", run: () => toggleOverlay("shortcuts") },
    { keys: "c", does: "New session", run: () => go("/new") },
    ...places.map(({ href, name, keys }) => ({ keys, does: `Go to: ${name}`, run: () => go(href) })),
  ];
}
