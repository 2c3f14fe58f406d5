import { Search as SearchIcon } from "lucide-react";
import type { Feature } from "../shell/feature.ts";
import { lazyView } from "../ui/load/lazy-view.tsx";
import { SearchField } from "./search-field.tsx";

const Search = lazyView(() => import("./search.tsx"));

export const searchFeature: Feature = {
  routes: [{ path: "/search", title: "Search", view: Search }],
  navigation: { href: "/search", name: "Search", icon: <SearchIcon size={15} />, keys: "/", field: SearchField },
};
