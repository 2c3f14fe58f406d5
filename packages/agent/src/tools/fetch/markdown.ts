const NOISE = ["script", "style", "noscript", "template", "svg", "iframe", "nav", "footer", "form", "button"];

/** Converts a page's main content to Markdown, without navigation and layout. */
export async function htmlToMarkdown(html: string): Promise<string> {
  const { default: Turndown } = await import("turndown");
  const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  service.remove(NOISE);
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim();
  const body = mainPart(html);
  const text = service
    .turndown(body)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return title && !text.startsWith("# ") ? `# ${title}\n\n${text}` : text;
}

function mainPart(html: string): string {
  for (const tag of ["main", "article"]) {
    const start = html.search(new RegExp(`<${tag}[\\s>]`, "i"));
    const end = html.toLowerCase().lastIndexOf(`</${tag}>`);
    if (start >= 0 && end - start > 200) return html.slice(start, end + tag.length + 3);
  }
  return html.replace(/<head[\s>][\s\S]*?<\/head>/i, "");
}
