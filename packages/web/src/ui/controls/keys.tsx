const MAC = /mac/i.test(navigator.platform);

const SIGNS: Record<string, string> = {
  mod: MAC ? "⌘" : "Ctrl",
  shift: MAC ? "⇧" : "Shift",
  alt: MAC ? "⌥" : "Alt",
  enter: "↵",
  escape: "Esc",
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
};

/** A key or a combination such as `mod+k` or `g b`. Hidden from screen readers and on touch screens. */
export function Keys({ keys }: { keys: string }) {
  const parts = keys.split(/[+ ]/).map((key) => SIGNS[key] ?? key.toUpperCase());
  return (
    <span
      aria-hidden="true"
      className="inline-flex gap-0.5 font-sans pointer-coarse:hidden text-2xs opacity-70 in-[.text-on-accent]:opacity-100"
    >
      {parts.map((part) => (
        <kbd key={part} className="rounded-sm border border-current/25 px-1 leading-4">
          {part}
        </kbd>
      ))}
    </span>
  );
}
