export { exitCodes } from "./program/exit-codes.ts";
export { Transcript, type TranscriptOptions } from "./render/transcript.ts";
export { makePaint, type Paint } from "./terminal/paint.ts";
