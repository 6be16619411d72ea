/** What one request held of the event loop, in milliseconds. */
export interface Finding {
  readonly name: string
  readonly status: number
  readonly sent: number
  readonly got: number
  /** Of the first request, and of the best one. */
  readonly first: number
  readonly least: number
  readonly held: number
}

/** Returns a finding as it is printed. */
export const lineOf = ({ name, status, sent, got, first, least, held }: Finding): string =>
  `${least.toFixed(0).padStart(6)} ms (first ${first.toFixed(0)}, by the clock ${held.toFixed(0)})  ${status}  ${Math.round(sent / 1024)} → ${Math.round(got / 1024)} kB  ${name}`
