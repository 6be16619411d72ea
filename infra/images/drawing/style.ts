import { type CSSToken, TokenType, tokenizer } from '@csstools/css-tokenizer'
import { NotAnImage } from '../raster/format.ts'
import { insideStyle } from './addresses.ts'
import { FUNCTIONS } from './allowed.ts'

/** Properties that once ran something. */
const RUNS = new Set(['behavior', '-moz-binding'])
/** Longest style. The tokens of a longer one take more memory than an image may. */
const MOST_CHARACTERS = 2_000_000
/** Tokens that browsers skip, up to where only they know. */
const UNREADABLE: readonly TokenType[] = [TokenType.BadString, TokenType.BadURL]

const quoted = (address: string): string => `"${address.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

const refused = (problem: string): never => {
  throw new NotAnImage(problem)
}

/** Checks the tokens of a style one by one. Their values are without escapes, as browsers understand them. */
class StyleCheck {
  /** Whether the next token is the address of a `url(`. */
  #isAddress = false
  /** Whether the address is the name of a namespace, which is not loaded. */
  #isNamespace = false

  /** Returns the token, with an address that is within the drawing. @throws {NotAnImage} */
  checked(token: CSSToken): CSSToken {
    const [type, , start, end] = token
    if (type === TokenType.Comment) return [type, '/**/', start, end, undefined]
    if (type === TokenType.Whitespace) return token
    const wasAddress = this.#isAddress
    this.#isAddress = false
    if (type === TokenType.String && wasAddress) {
      const value = insideStyle(token[4].value)
      return [type, quoted(value), start, end, { value }]
    }
    if (wasAddress) refused('refers to something outside')
    if (type === TokenType.URL && !this.#isNamespace) {
      const value = insideStyle(token[4].value)
      return [type, `url(${quoted(value)})`, start, end, { value }]
    }
    this.#check(token)
    return token
  }

  #check(token: CSSToken): void {
    if (UNREADABLE.includes(token[0])) refused('has a style that cannot be read')
    if (token[0] === TokenType.Semicolon) this.#isNamespace = false
    if (token[0] === TokenType.AtKeyword) {
      const name = token[4].value.toLowerCase()
      if (name === 'import') refused('refers to something outside')
      this.#isNamespace = name === 'namespace'
    }
    if (token[0] === TokenType.Ident && RUNS.has(token[4].value.toLowerCase())) refused('has a script')
    if (token[0] === TokenType.Function) {
      const name = token[4].value.toLowerCase()
      if (!FUNCTIONS.has(name)) refused('has a style with a function that no drawing needs')
      this.#isAddress = name === 'url' && !this.#isNamespace
    }
  }
}

/** Returns a style whose addresses are all within the drawing. @throws {NotAnImage} */
export const safeStyle = (css: string): string => {
  if (css.length > MOST_CHARACTERS) refused('has a style of more than 2 MB')
  const check = new StyleCheck()
  const tokens = tokenizer({ css })
  let checked = ''
  while (!tokens.endOfFile()) checked += check.checked(tokens.nextToken())[1]
  return checked
}
