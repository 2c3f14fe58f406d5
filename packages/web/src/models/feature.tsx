import { Cpu } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const Models = lazyView(() => import("./models.tsx"));

export const modelsFeature: Feature = {
  routes: [{ path: "/models", title: "Models", view: Models }],
  navigation: { href: "/models", name: "Models", icon: <Cpu size={15} />, keys: "g m" },
};
