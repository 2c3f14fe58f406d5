import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const LaunchForm = lazyView(() => import("./launch-form.tsx"));
const LaunchPage = lazyView(() => import("./launch-page.tsx"));
const ComparePage = lazyView(() => import("./compare/compare-page.tsx"));

export const launchFeature: Feature = {
  routes: [
    { path: "/launch", title: "Compare agents", view: LaunchForm },
    { path: "/launches/:id", view: LaunchPage },
    { path: "/compare", title: "Compare", view: ComparePage },
  ],
  commands: [{ name: "Compare agents", hint: "one prompt, several lanes", run: "/launch" }],
};
