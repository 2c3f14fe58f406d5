import { Inbox as InboxIcon } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { useInbox } from "../store/sessions/hooks.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";

const Inbox = lazyView(() => import("./inbox.tsx"));

export const inboxFeature: Feature = {
  routes: [{ path: "/inbox", title: "Inbox", view: Inbox }],
  navigation: {
    href: "/inbox",
    name: "Inbox",
    icon: <InboxIcon size={15} />,
    keys: "g i",
    useCount: () => useInbox().length,
  },
};
