export const HASHLINE = `Changes files by the anchors that \`read\` shows (\`41th\` in \`41th|text\`).
\`input\` has for each file a line \`§path\`, then operations, each followed by its lines, verbatim:
- \`»ANCHOR\` inserts after the line, \`«ANCHOR\` before it; \`»BOF\` and \`»EOF\` at the start and end. A new file: \`§path\`, \`»BOF\`, its lines.
- \`≔FIRST..LAST\` (or \`≔ANCHOR\`) replaces lines, both included; with no lines after it, it deletes them.
All anchors refer to the file as you read it; ignore lines that the same call adds. Write lines without anchors, with their full indentation. Put a backslash before a line that itself begins with §, », « or ≔. Either all operations of a call are applied, or none.
Example:
§src/a.ts
≔12ab..13cd
  return total;
»20xy
// checked above`;

export const REPLACE = `Replaces texts in a file. \`old_text\` must occur exactly once in the file, so include enough context to make it unique; with \`all\` it may occur any number of times. All edits are searched in the file's content before the call. Either all of them are applied, or none.`;

export const APPLY_PATCH = `Changes files by a patch in \`input\`:
*** Begin Patch
*** Update File: path/of/file
*** Move to: new/path (only to rename)
@@ a line further up that locates the place (optional)
 context line
-line to remove
+line to add
*** Add File: path/of/new
+each line with a plus
*** Delete File: path
*** End Patch
Include three lines of context before and after each change. Either all files are changed, or none.`;
