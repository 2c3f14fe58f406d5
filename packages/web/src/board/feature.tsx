import { LayoutGrid } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const Board = lazyView(() => import("./board.tsx"));

export const boardFeature: Feature = {
  routes: [{ path: "/", view: Board }],
  navigation: { href: "/", name: "Board", icon: <LayoutGrid size={15} />, keys: "g b" },
};
