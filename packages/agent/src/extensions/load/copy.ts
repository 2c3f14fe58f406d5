/**
 * A copy for an extension, so that it cannot change the original. Details of a tool's result may hold values that cannot be
 * copied, such as functions; they are left out.
 */
export function copyOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch {
    return JSON.parse(JSON.stringify(value)) as Value;
  }
}
