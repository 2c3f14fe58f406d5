import { type ReactNode, useEffect, useLayoutEffect } from "react";
import { Route, Switch, useLocation } from "wouter";
import { features } from "./features.ts";
import { Announcer } from "./shell/announcements/announcer.tsx";
import { Banner } from "./shell/banner.tsx";
import type { FeatureRoute } from "./shell/feature.ts";
import { Locked } from "./shell/locked.tsx";
import { OverlayViews } from "./shell/overlay-views.tsx";
import { toggleOverlay, toggleSidebar } from "./shell/overlays.ts";
import { PageTitle } from "./shell/page-title.tsx";
import { listenForShortcuts, type Shortcut, useShortcuts } from "./shell/shortcuts.ts";
import { Sidebar } from "./shell/sidebar/sidebar.tsx";
import { useFocusOnNavigation } from "./shell/use-focus-on-navigation.ts";
import { useCell } from "./store/cell.ts";
import { connection } from "./store/connection/connection.ts";
import { awaitFirstPaint } from "./store/first-paint.ts";
import { ContextMenu } from "./ui/controls/context-menu.tsx";
import { Empty } from "./ui/display/empty.tsx";
import { LoadError } from "./ui/display/load-error.tsx";
import { Toaster } from "./ui/display/toaster.tsx";
import { ErrorBoundary } from "./ui/layout/error-boundary.tsx";

const routes: readonly FeatureRoute[] = features.flatMap((feature) => feature.routes ?? []);
const navigation = features.flatMap((feature) => feature.navigation ?? []);

/** The frame around every view. */
export function App() {
  useLayoutEffect(awaitFirstPaint, []);
  useEffect(listenForShortcuts, []);
  useShortcuts(useGlobalShortcuts());
  const main = useFocusOnNavigation();
  if (useCell(connection).state === "locked") return <Locked />;
  return (
    <div className="flex h-full flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-raised px-3 py-1.5 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <PageTitle features={features} />
      <Banner />
      <div className="flex min-h-0 grow max-[799px]:flex-col">
        <Sidebar navigation={navigation} />
        <main ref={main} id="main" tabIndex={-1} className="flex min-h-0 min-w-0 grow flex-col bg-surface outline-none">
          <Views />
        </main>
      </div>
      <OverlayViews features={features} />
      <Toaster />
      <Announcer />
      <ContextMenu />
    </div>
  );
}

/** A view that fails to render leaves the frame, and with it every other view, usable. */
function Views(): ReactNode {
  const [path] = useLocation();
  const fallback = (error: unknown, retry: () => void) => (
    <div className="p-5">
      <LoadError error={error} onRetry={retry} />
    </div>
  );
  return (
    <ErrorBoundary resetKey={path} fallback={fallback}>
      <Switch>
        {routes.map(({ path: pattern, view: View, keyOf }) => (
          <Route key={pattern} path={pattern}>
            {({ id = "" }: { id?: string }) => <View key={keyOf?.(id) ?? id} id={id} />}
          </Route>
        ))}
        <Route>
          <Empty title="Page not found" />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}

/** Shortcuts that work in every view. */
function useGlobalShortcuts(): Shortcut[] {
  const [, go] = useLocation();
  return [
    { keys: "mod+k", does: "Open the command palette", run: () => toggleOverlay("palette"), whileTyping: true },
    { keys: "mod+b", does: "Show or hide the sidebar", run: toggleSidebar, whileTyping: true },
    { keys: "?", does: "Keyboard shortcuts", run: () => toggleOverlay("shortcuts") },
    { keys: "c", does: "New session", run: () => go("/new") },
    ...navigation.map(({ href, name, keys }) => ({ keys, does: `Go to ${name}`, run: () => go(href) })),
  ];
}
