export { type ClipboardImage, readClipboardImage } from "./read-image.ts";
