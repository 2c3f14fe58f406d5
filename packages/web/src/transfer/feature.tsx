import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const ImportPage = lazyView(() => import("./import-page.tsx"));

export const transferFeature: Feature = {
  routes: [{ path: "/import", title: "Import a conversation", view: ImportPage }],
  commands: [{ name: "Import a conversation", hint: "from an agent's history or a file", run: "/import" }],
};
