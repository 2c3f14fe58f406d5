/**
 * Compiles a glob to a pattern for relative paths. Unlike `path.matchesGlob` it matches names that begin with a dot,
 * because a separate option decides about hidden files. A glob without a slash matches the file's name in any folder.
 */
export function globPattern(glob: string): RegExp {
  const plain = glob.replace(/^\.?\//, "");
  const source = translate(plain.includes("/") || glob.startsWith("/") ? plain : `**/${plain}`);
  try {
    return new RegExp(`^${source}$`, "su");
  } catch {
    return new RegExp(`(?:^|/)${escapeRegex(plain)}$`, "u");
  }
}

function translate(glob: string): string {
  let out = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const sign = glob[at]!;
    const set = sign === "[" ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(glob.slice(at)) : null;
    if (glob.startsWith("**/", at) && (at === 0 || glob[at - 1] === "/")) {
      out += "(?:[^/]+/)*";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      out += ".*";
      at++;
    } else if (sign === "*") {
      const between = depth === 0 ? /^[^*/{}[\]\\]+(?=\*(?!\*))/.exec(glob.slice(at + 1))?.[0] : undefined;
      out += between === undefined ? "[^/]*" : makeAtomic(`[^/]*?${translate(between)}`, at);
      at += between?.length ?? 0;
    } else if (sign === "?") out += "[^/]";
    else if (set) {
      out += `[${set[1] ? "^" : ""}${set[2]!.replace(/[\\[\]&]/g, "\\$&")}]`;
      at += set[0].length - 1;
    } else if (sign === "{") {
      out += "(?:";
      depth++;
    } else if (sign === "}" && depth > 0) {
      out += ")";
      depth--;
    } else if (sign === "," && depth > 0) out += "|";
    else if (sign === "\\" && at + 1 < glob.length) out += escapeRegex(glob[++at]!);
    else out += escapeRegex(sign);
  }
  return out + ")".repeat(depth);
}

/**
 * Matches without backtracking. Between two stars the first match of the text is as good as any later one. Without this
 * a glob such as `*a*a*a*a*b` takes minutes on a long name.
 */
function makeAtomic(source: string, id: number): string {
  return `(?=(?<star${id}>${source}))\\k<star${id}>`;
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
