/** Returns the words of a text with a space between two, such as names of elements. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
