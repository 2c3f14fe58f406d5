import SessionPage from "../session/session-page.tsx";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const TilesPage = lazyView(() => import("./tiles-page.tsx"));

/** One session, or several as tiles. */
function SessionRoute({ id }: { id: string }) {
  return id.includes("+") ? <TilesPage id={id} /> : <SessionPage id={id} />;
}

export const tilesFeature: Feature = {
  routes: [{ path: "/s/:id", view: SessionRoute, keyOf: (id) => (id.includes("+") ? "tiles" : id) }],
  sessionCommands: ({ id }) => [
    { name: "Open another session side by side…", hint: "live transcripts as tiles", run: `/s/${id}+` },
  ],
};
