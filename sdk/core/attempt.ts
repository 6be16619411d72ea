/** Value that an expression has, or nothing where the browser throws. */
export const attempt = <T>(get: () => T): T | undefined => {
  try {
    return get()
  } catch {}
}
