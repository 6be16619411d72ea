/** Pattern for names. They are paths below a root, and never lead out of it. */
const NAME = /^[a-z_]+(\/[a-z_]+)*-\d+$/

/** @throws {Error} when this is not the name of a blob */
export const assertName = (name: string): void => {
  if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of a blob`)
}
