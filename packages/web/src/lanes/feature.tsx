import { GitBranch } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const Lanes = lazyView(() => import("./lanes.tsx"));
const LanePage = lazyView(() => import("./lane/lane-page.tsx"));

export const lanesFeature: Feature = {
  routes: [
    { path: "/lanes", title: "Lanes", view: Lanes },
    { path: "/lanes/:id", view: LanePage },
  ],
  navigation: { href: "/lanes", name: "Lanes", icon: <GitBranch size={15} />, keys: "g l" },
};
