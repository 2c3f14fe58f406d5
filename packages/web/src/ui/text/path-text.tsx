import { Fragment } from "react";
import { classes } from "../classes.ts";

/** A path that breaks across lines after its slashes, or anywhere if a segment is too long for a line. */
export function PathText({ path, className }: { path: string; className?: string }) {
  return (
    <code className={classes("font-mono wrap-anywhere", className)}>
      {path.split(/(?<=\/)/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a path have no ids.
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}
