declare module "turndown" {
  export default class TurndownService {
    constructor(options?: {
      headingStyle?: "setext" | "atx";
      codeBlockStyle?: "indented" | "fenced";
      bulletListMarker?: string;
    });
    remove(tags: string[]): this;
    turndown(html: string): string;
  }
}
