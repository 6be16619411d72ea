/** Texts of a length that make careless scanners slow: repetition, nesting, runs that match in many ways, and openings that nothing closes. */
const REPEATED = [
  'a',
  ' ',
  '\t',
  '\n',
  '0',
  '.',
  ',',
  ';',
  '/',
  '-',
  '_',
  '@',
  '%',
  '!',
  '"',
  "'",
  '“',
  '<',
  '</',
  '<!--',
  '<!-->',
  '<b>',
  '<customhtml>',
  '</customhtml ',
  '<section a="',
  '[',
  '{"a":',
  '{},',
  '[],',
  '1,',
  'aB',
  'a@',
  'a b ',
  'a;q=0.1,',
  'has ',
  'without, ',
  'tagged a and ',
  'e\u0301',
  'İ',
  '%41',
  'v1=a,',
]

/** Beginnings and ends that let a text pass the first checks of a scanner and fail at its end. */
const FRAMES = [
  ['', ''],
  ['', '\u0001'],
  ['a', ' x'],
  ['1.', '1'],
  ['<section ', '>'],
  ['http://', ' x'],
  ['[', ']'],
  ['{"a":"', '"}'],
  ['filter[', ']'],
] as const

export interface HostileText {
  readonly name: string
  of(length: number): string
}

/** Every repetition in every frame. */
export const hostileTexts: readonly HostileText[] = REPEATED.flatMap((piece) =>
  FRAMES.map(([begin, end]) => ({
    name: JSON.stringify(`${begin}${piece}…${end}`),
    of: (length: number) =>
      begin + piece.repeat(Math.max(0, Math.floor((length - begin.length - end.length) / piece.length))) + end,
  })),
)
