import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const NewSession = lazyView(() => import("./new-session.tsx"));

export const composerFeature: Feature = {
  routes: [{ path: "/new", title: "New session", view: NewSession }],
  commands: [{ name: "New session", keys: "c", run: "/new" }],
};
