import { Bot } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const Agents = lazyView(() => import("./agents.tsx"));

export const agentsFeature: Feature = {
  routes: [{ path: "/agents", title: "Agents", view: Agents }],
  navigation: { href: "/agents", name: "Agents", icon: <Bot size={15} />, keys: "g a" },
};
