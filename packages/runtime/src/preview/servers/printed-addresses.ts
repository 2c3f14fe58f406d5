/** Colours, as the terminal gets them and as JSON writes them. Dev servers print the port in bold. */
const COLOURS = /(?:\x1b|\\u001b)\[[\d;]*m/g;
const ADDRESS =
  /\bhttp:\/\/(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?![\w.-])(?::\d{1,5})?(?:\/[^\s"'`<>\\|)\]]*)?/gi;

/** Addresses of this machine in a text, in their order, each once. */
export function findAddresses(text: string): string[] {
  const found = text.replace(COLOURS, "").match(ADDRESS) ?? [];
  return [...new Set(found.map((address) => address.replace(/[.,;:!?]+$/, "")))];
}
