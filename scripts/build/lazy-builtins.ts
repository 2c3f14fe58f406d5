/**
 * Makes a CommonJS chunk load Node's modules on first use: loading `node:child_process`, `node:http` or `node:readline`
 * takes milliseconds, and most processes use few of the modules that their chunks name. A module whose name occurs in any
 * other way than `name.property` is loaded at once. Lines keep their numbers, so that a source map stays valid for them.
 */
export function lazyBuiltins(code: string): string {
  let result = code;
  for (const [line, name = "", id] of code.matchAll(/^let (node_\w+) = require\("(node:[\w/]+)"\);$/gm)) {
    const uses = result.match(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "g"))?.length ?? 0;
    const property = new RegExp(`(?<![\\w$.])${name}(?=\\.[A-Za-z_])`, "g");
    if (uses !== (result.match(property)?.length ?? 0) + 1) continue;
    // Without the parentheses, `new name().Class()` would call `new` on the wrong function.
    result = result.replace(property, (_, at: number, whole: string) =>
      /\bnew $/.test(whole.slice(Math.max(0, at - 5), at)) ? `(${name}())` : `${name}()`,
    );
    result = result.replace(line, `let ${name}$0; const ${name} = () => (${name}$0 ??= require("${id}"));`);
  }
  return result;
}
