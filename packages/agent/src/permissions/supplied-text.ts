import { readRegularText, realPath } from "@gantry/trust";
import { decide } from "./decide.ts";
import { isInside } from "./paths.ts";

/** `root`: the project's folder. Files in it are the repository's, all others are the user's. */
export type SuppliedPlace = { root: string | undefined; home: string };

/**
 * A text that reaches the model without a question, such as rules and skills. A link in a repository is not followed to a
 * file that the model could not read without a question: otherwise `AGENTS.md` could show a credential to it. Throws.
 */
export function readSuppliedText(path: string, { root, home }: SuppliedPlace, most?: number): string {
  const text = readRegularText(path, most);
  const real = realPath(path);
  if (root === undefined || real === path || !isInside(path, [root])) return text;
  const place = { cwd: realPath(root), folders: [], env: { ...process.env, HOME: home } };
  const { verdict } = decide("plan", [{ kind: "file.read", path: real }], place, [], { person: true });
  if (verdict !== "allow") throw new Error("is a link to a file that needs a permission");
  return text;
}
