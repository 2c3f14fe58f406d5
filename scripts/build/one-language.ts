/** A bundler plugin that keeps only Zod's English messages. All sixty languages are half of the code and a tenth of the memory. */
export const oneLanguage = {
  name: "one-language",
  load: (id: string) => (/zod\/v4\/locales\/index\.js$/.test(id) ? 'export { default as en } from "./en.js";' : null),
};
