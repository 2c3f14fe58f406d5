/**
 * Builds a value on first use. For schemas of files and messages that most processes never read: building all of them takes longer
 * than the rest of a start.
 */
export function once<Value>(build: () => Value): () => Value {
  let built: { value: Value } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
