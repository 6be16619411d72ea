/** How ids are spelled whose first letter is the same. */
interface Spelling {
  readonly first: string
  /** The digits of an id. */
  readonly digits: string
  /** What ends it: the second number. */
  readonly end: string
}

/** The order in which Sqids takes the letters next. */
const shuffled = (alphabet: string): string => {
  const letters = alphabet.split('')
  for (let i = 0, j = letters.length - 1; j > 0; i++, j--) {
    const other = (i * j + codeOf(letters[i]!) + codeOf(letters[j]!)) % letters.length
    ;[letters[i], letters[other]] = [letters[other]!, letters[i]!]
  }
  return letters.join('')
}

const codeOf = (letter: string): number => letter.charCodeAt(0)

const numberIn = (digits: string, number: number): string => {
  let text = ''
  let rest = number
  do {
    text = digits[rest % digits.length] + text
    rest = Math.floor(rest / digits.length)
  } while (rest > 0)
  return text
}

/**
 * Spells an id and a second number, which is always the same, as Sqids does: all but the digits of the id is worked out once, which takes a tenth
 * of the time. What is shorter than `minLength`, where Sqids adds letters, is `undefined`.
 */
export const sqidsSpelling = (
  alphabet: string,
  second: number,
  minLength: number,
): ((id: number) => string | undefined) => {
  const letters = shuffled(alphabet)
  const size = letters.length
  const spellings: Spelling[] = []
  const spellingAt = (offset: number): Spelling => {
    const order = [...(letters.slice(offset) + letters.slice(0, offset))].reverse().join('')
    const end = order.charAt(0) + numberIn(shuffled(order).slice(1), second)
    return { first: letters.charAt(offset), digits: order.slice(1), end }
  }
  const ofSecond = letters.charCodeAt(second % size) + 1 + 2
  return (id) => {
    const offset = (letters.charCodeAt(id % size) + ofSecond) % size
    const spelling = spellings[offset] ?? spellingAt(offset)
    spellings[offset] = spelling
    const text = spelling.first + numberIn(spelling.digits, id) + spelling.end
    return text.length < minLength ? undefined : text
  }
}
