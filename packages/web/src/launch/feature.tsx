import { Rocket } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const LaunchForm = lazyView(() => import("./launch-form.tsx"));
const LaunchList = lazyView(() => import("./launch-list.tsx"));
const LaunchPage = lazyView(() => import("./launch-page.tsx"));
const ComparePage = lazyView(() => import("./compare/compare-page.tsx"));

export const launchFeature: Feature = {
  routes: [
    { path: "/launch", title: "Compare agents", view: LaunchForm },
    { path: "/launches", title: "Launches", view: LaunchList },
    { path: "/launches/:id", view: LaunchPage },
    { path: "/compare", title: "Compare", view: ComparePage },
  ],
  navigation: { href: "/launches", name: "Launches", icon: <Rocket size={15} />, keys: "g c" },
  commands: [{ name: "Compare agents", hint: "one prompt, several lanes", run: "/launch" }],
};
