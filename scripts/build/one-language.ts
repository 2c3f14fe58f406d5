/** For a bundler. Zod's messages in sixty languages, of which one is used, are half of the code and a tenth of the memory. */
export const oneLanguage = {
  name: "one-language",
  load: (id: string) => (/zod\/v4\/locales\/index\.js$/.test(id) ? 'export { default as en } from "./en.js";' : null),
};
