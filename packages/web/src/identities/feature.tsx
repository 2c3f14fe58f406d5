import { UserRound } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const Identities = lazyView(() => import("./identities.tsx"));

export const identitiesFeature: Feature = {
  routes: [{ path: "/identities", title: "Identities", view: Identities }],
  navigation: { href: "/identities", name: "Identities", icon: <UserRound size={15} />, keys: "g d" },
};
