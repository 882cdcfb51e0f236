/** Returns a function that computes a value when it is called first. */
export function once<Value>(find: () => Value): () => Value {
  let cached: { readonly value: Value } | undefined;
  return () => {
    cached ??= { value: find() };
    return cached.value;
  };
}
