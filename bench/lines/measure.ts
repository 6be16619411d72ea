import { computeLineStarts, createScanner, type Scanner, SyntaxKind } from 'typescript/unstable/ast'

/** Measurements of a source file. */
export interface Measured {
  /** Lines, without those that are blank or contain only a comment. */
  readonly lines: number
  readonly tokens: number
  /** Number of `as X`, without `as const`. */
  readonly casts: number
  /** Identifiers and strings in the file. */
  readonly words: ReadonlySet<string>
}

interface Token {
  readonly kind: SyntaxKind
  readonly start: number
  readonly end: number
  readonly text: string
}

const ENDS_VALUE: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ExclamationToken,
  SyntaxKind.ThisKeyword,
  SyntaxKind.NullKeyword,
  SyntaxKind.UnknownKeyword,
  SyntaxKind.NeverKeyword,
])

/** Tokens that follow a property or variable named `as`, rather than the operator. */
const NO_TYPE: ReadonlySet<string> = new Set([':', '?', ',', ')', '}', '=', '.', ';', '=>', '!==', '===', '?.', '??'])

/** The next token. The meaning of a slash or brace depends on the token before it. */
const next = (scanner: Scanner, before: SyntaxKind, open: number[]): SyntaxKind => {
  const kind = scanner.scan()
  const isSlash = kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken
  if (isSlash && !ENDS_VALUE.has(before)) return scanner.reScanSlashToken()
  const inTemplate = open.at(-1)
  if (kind === SyntaxKind.TemplateHead) open.push(0)
  if (inTemplate === undefined) return kind
  if (kind === SyntaxKind.OpenBraceToken) open[open.length - 1] = inTemplate + 1
  if (kind !== SyntaxKind.CloseBraceToken) return kind
  if (inTemplate > 0) {
    open[open.length - 1] = inTemplate - 1
    return kind
  }
  const rest = scanner.reScanTemplateToken(false)
  if (rest === SyntaxKind.TemplateTail) open.pop()
  return rest
}

const tokensOf = (text: string): readonly Token[] => {
  const scanner = createScanner(true)
  scanner.setText(text)
  const tokens: Token[] = []
  const open: number[] = []
  for (let kind = next(scanner, SyntaxKind.Unknown, open); kind !== SyntaxKind.EndOfFile; ) {
    tokens.push({ kind, start: scanner.getTokenStart(), end: scanner.getTokenEnd(), text: scanner.getTokenText() })
    kind = next(scanner, kind, open)
  }
  return tokens
}

const isCast = (tokens: readonly Token[], index: number): boolean => {
  const [before, here, after] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (here?.kind !== SyntaxKind.AsKeyword || !before || !after) return false
  return ENDS_VALUE.has(before.kind) && after.kind !== SyntaxKind.ConstKeyword && !NO_TYPE.has(after.text)
}

/** Indexes of the tokens in import declarations, where `as` renames. */
const imported = (tokens: readonly Token[]): ReadonlySet<number> => {
  const inside = new Set<number>()
  let isInside = false
  for (const [index, { kind }] of tokens.entries()) {
    if (kind === SyntaxKind.ImportKeyword) isInside = tokens[index + 1]?.kind !== SyntaxKind.DotToken
    if (isInside) inside.add(index)
    if (kind === SyntaxKind.StringLiteral) isInside = false
  }
  return inside
}

/** Line numbers with a token; a text over several lines counts for each of them. */
const linesOf = (tokens: readonly Token[], starts: readonly number[]): ReadonlySet<number> => {
  const lines = new Set<number>()
  let line = 0
  for (const { start, end } of tokens) {
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= start) line++
    for (let at = line; (starts[at] ?? Number.POSITIVE_INFINITY) < end; at++) lines.add(at)
  }
  return lines
}

const unquoted = (text: string): string => text.replace(/^['"`](.*)['"`]$/s, '$1')

/** Measures a source with TypeScript's scanner. */
export const measure = (text: string): Measured => {
  const tokens = tokensOf(text)
  const renames = imported(tokens)
  return {
    lines: linesOf(tokens, computeLineStarts(text)).size,
    tokens: tokens.length,
    casts: tokens.filter((_, index) => !renames.has(index) && isCast(tokens, index)).length,
    words: new Set(tokens.map((token) => unquoted(token.text))),
  }
}
