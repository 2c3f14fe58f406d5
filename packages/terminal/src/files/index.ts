export { createFileIndex, type FileIndex } from "./file-index.ts";
export type { FileMatch } from "./rank-paths.ts";
