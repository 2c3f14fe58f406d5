import { basename, dirname, join } from "node:path";
import { type ToolContext, ToolError } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { isGitData } from "../../permissions/git-folders.ts";
import { isInside } from "../../permissions/paths.ts";
import { actionPath, realPath } from "./path.ts";

/** A change whose path is known only while the call runs, such as an edit of a language server. */
export type LateChange = { kind: "file.write" | "file.delete"; path: string };

/**
 * Checks changes right before their effect. A path that the call's permission covers is free; another must lie in the
 * session's folders, not be git's data, and pass the current permission mode, which may ask. Links count as their
 * target. Returns the real path of each change; a deletion concerns the entry itself. Throws a `ToolError`.
 */
export async function confirmChanges(
  changes: readonly LateChange[],
  context: ToolContext,
  allowed: readonly Action[],
): Promise<string[]> {
  const actions = changes.map(({ kind, path }): LateChange => ({ kind, path: actionPath(path, context) }));
  const isAllowed = ({ path }: LateChange) => allowed.some((action) => "path" in action && action.path === path);
  const late = actions.filter((action) => !isAllowed(action));
  const outside = late.find(({ path }) => !isChangeable(path, context));
  if (outside) throw new ToolError(`The change touches ${outside.path}, which is outside the writable folders.`);
  await context.permit?.(late);
  // A person may have taken a while to answer.
  const moved = changes.find(({ path }, at) => actionPath(path, context) !== actions[at]?.path);
  if (moved) throw new ToolError(`${moved.path} points to another place than when it was allowed. Try again.`);
  return changes.map(({ kind, path }) =>
    kind === "file.write" ? realPath(path) : join(realPath(dirname(path)), basename(path)),
  );
}

function isChangeable(path: string, { cwd, folders }: ToolContext): boolean {
  const inside = [cwd, ...folders];
  const real = [path, realPath(path)];
  const realInside = inside.map((folder) => realPath(folder));
  return isInside(realPath(path), realInside) && !real.some((each) => isGitData(each, [...inside, ...realInside]));
}
