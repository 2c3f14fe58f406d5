export { answerHints, renderInput } from "./input.ts";
export { Transcript, type TranscriptOptions } from "./transcript.ts";
