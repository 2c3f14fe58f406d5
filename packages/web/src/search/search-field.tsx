import { Search } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";

/** The sidebar's search field. The search view has its own. */
export function SearchField() {
  const [text, setText] = useState("");
  const [, go] = useLocation();
  return (
    <form
      className="relative flex h-7 items-center"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) go(`/search?q=${encodeURIComponent(text.trim())}`);
      }}
    >
      <Search size={15} aria-hidden="true" className="pointer-events-none absolute left-2 text-soft" />
      <input
        type="search"
        aria-label="Search"
        placeholder="Search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-7 [&::-webkit-search-cancel-button]:hidden w-full rounded-md border border-transparent bg-transparent pr-2 pl-[1.9375rem] placeholder:text-soft hover:bg-hover focus:border-line focus:bg-surface focus:outline-none"
      />
    </form>
  );
}
