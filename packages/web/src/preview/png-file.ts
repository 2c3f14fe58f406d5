/** A picture that came as a data URL, as a file. Only PNG is taken: nothing in it can be code. Throws for anything else. */
export function pngFile(image: string, name: string): File {
  const [, base64] = /^data:image\/png;base64,([A-Za-z0-9+/]+=*)$/.exec(image) ?? [];
  if (base64 === undefined) throw new Error("The shown page answered with something that is no picture.");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new File([bytes], name, { type: "image/png" });
}
