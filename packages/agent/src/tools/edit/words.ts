export const HASHLINE = `Changes files by the anchors that \`read\` shows (\`41th\` in \`41th|text\`).
\`input\` has for each file a line \`§path\`, then operations, each followed by its lines, verbatim:
- \`»ANCHOR\` inserts after the line, \`«ANCHOR\` before it; \`»BOF\` and \`»EOF\` at the begin and end. A new file: \`§path\`, \`»BOF\`, its lines.
- \`≔FIRST..LAST\` (or \`≔ANCHOR\`) replaces lines, both included; with no lines after it, it deletes them.
All anchors mean the file as it was read; do not count with lines that the same call adds. Lines are given without anchors, with their full indentation. A line that itself begins with §, », « or ≔ gets a backslash before it. All operations of a call are done, or none.
Example:
§src/a.ts
≔12ab..13cd
  return total;
»20xy
// checked above`;

export const REPLACE = `Replaces texts in a file. \`old_text\` must stand in the file once, with enough around it to be unique, or with \`all\` anywhere. All edits are looked for in the file as it is before the call, and are done together or not at all.`;

export const APPLY_PATCH = `Changes files by a patch in \`input\`:
*** Begin Patch
*** Update File: path/of/file
*** Move to: new/path (only to rename)
@@ a line above, to find the place (may be left out)
 context line
-line to take out
+line to put in
*** Add File: path/of/new
+each line with a plus
*** Delete File: path
*** End Patch
Give three lines of context before and after a change. All files are changed, or none.`;
