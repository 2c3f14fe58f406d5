import { ChartColumn } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const Usage = lazyView(() => import("./usage.tsx"));

export const usageFeature: Feature = {
  routes: [{ path: "/usage", title: "Usage", view: Usage }],
  navigation: { href: "/usage", name: "Usage", icon: <ChartColumn size={15} />, keys: "g u" },
};
