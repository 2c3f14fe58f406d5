/** Matches relative paths. */
export type GlobMatcher = { test(path: string): boolean };

/** A state of the automaton: it consumes a character that `accepts`, and moves on to `free` states without one. */
type State = { accepts?: (char: string) => boolean; next: number; free: number[] };

const isAny = () => true;
const isName = (char: string) => char !== "/";

/**
 * Compiles a glob to a matcher for relative paths. It also matches names that begin with a dot, because a separate option
 * decides about hidden files. A glob without a slash matches the file's name in any folder. The
 * time is bounded by the length of the glob times the length of the path, because repositories and models write globs: a
 * regular expression takes minutes for `*a*a*a*b` on a long name.
 */
export function globPattern(glob: string): GlobMatcher {
  const plain = glob.replace(/^\.?\//, "");
  const whole = plain.includes("/") || glob.startsWith("/") ? plain : `**/${plain}`;
  try {
    const states = new Automaton(whole).states;
    return { test: (path) => run(states, path) };
  } catch {
    // A set that is no set: the glob is a name.
    return { test: (path) => path === plain || path.endsWith(`/${plain}`) };
  }
}

/** Builds the states from left to right. The last one accepts. Throws a SyntaxError for an invalid set. */
class Automaton {
  readonly states: State[] = [{ next: 0, free: [] }];
  #current = 0;
  readonly #braces: { start: number; ends: number[] }[] = [];

  constructor(glob: string) {
    for (let at = 0; at < glob.length; ) at += this.#read(glob, at);
    while (this.#braces.length > 0) this.#closeBrace();
    this.#current = this.#move(this.#current);
  }

  /** Adds what starts at this place and returns its length. */
  #read(glob: string, at: number): number {
    const sign = String.fromCodePoint(glob.codePointAt(at)!);
    const set = sign === "[" ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(glob.slice(at)) : null;
    if (glob.startsWith("**/", at) && (at === 0 || glob[at - 1] === "/")) return this.#repeatFolders();
    if (glob.startsWith("**", at)) return this.#repeat(isAny, 2);
    if (sign === "*") return this.#repeat(isName, 1);
    if (sign === "?") return this.#consume(isName, 1);
    if (set) return this.#consume(setOf(set[1] !== "", set[2]!), set[0].length);
    if (sign === "{") return this.#openBrace();
    if (sign === "," && this.#braces.length > 0) return this.#nextBranch();
    if (sign === "}" && this.#braces.length > 0) return this.#closeBrace();
    if (sign === "\\" && at + 1 < glob.length)
      return 1 + this.#literal(String.fromCodePoint(glob.codePointAt(at + 1)!));
    return this.#literal(sign);
  }

  #literal(sign: string): number {
    return this.#consume((char) => char === sign, sign.length);
  }

  #consume(accepts: (char: string) => boolean, length: number): number {
    const next = this.#add();
    Object.assign(this.states[this.#current]!, { accepts, next });
    this.#current = next;
    return length;
  }

  #repeat(accepts: (char: string) => boolean, length: number): number {
    const loop = this.#move(this.#current);
    Object.assign(this.states[loop]!, { accepts, next: loop });
    this.#current = this.#move(loop);
    return length;
  }

  /** Any number of folders, each with its slash. */
  #repeatFolders(): number {
    const start = this.#move(this.#current);
    this.#current = start;
    this.#consume(isName, 0);
    this.#repeat(isName, 0);
    Object.assign(this.states[this.#current]!, { accepts: (char: string) => char === "/", next: start });
    this.#current = this.#move(start);
    return "**/".length;
  }

  #openBrace(): number {
    this.#braces.push({ start: this.#current, ends: [] });
    this.#current = this.#move(this.#current);
    return 1;
  }

  #nextBranch(): number {
    const brace = this.#braces.at(-1)!;
    brace.ends.push(this.#current);
    this.#current = this.#move(brace.start);
    return 1;
  }

  #closeBrace(): number {
    const { ends } = this.#braces.pop()!;
    const after = this.#move(this.#current);
    for (const end of ends) this.states[end]!.free.push(after);
    this.#current = after;
    return 1;
  }

  #move(from: number): number {
    const to = this.#add();
    this.states[from]!.free.push(to);
    return to;
  }

  #add(): number {
    return this.states.push({ next: 0, free: [] }) - 1;
  }
}

function setOf(isNegated: boolean, content: string): (char: string) => boolean {
  const set = new RegExp(`^[${isNegated ? "^" : ""}${content.replace(/[\\[\]&]/g, "\\$&")}]$`, "su");
  return (char) => set.test(char);
}

/** Follows all states at once, so that no character is read twice. */
function run(states: readonly State[], path: string): boolean {
  let active = new Set<number>();
  visit(states, 0, active);
  for (const char of path) {
    const next = new Set<number>();
    for (const at of active) if (states[at]?.accepts?.(char)) visit(states, states[at].next, next);
    if (next.size === 0) return false;
    active = next;
  }
  return active.has(states.length - 1);
}

function visit(states: readonly State[], first: number, into: Set<number>): void {
  const pending = [first];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (into.has(at)) continue;
    into.add(at);
    pending.push(...(states[at]?.free ?? []));
  }
}
