/** The quantile `q` (0 to 1) of the values. @throws {RangeError} without values */
export const quantile = (values: readonly number[], q: number): number => {
  if (values.length === 0) throw new RangeError('there are no values')
  const sorted = Float64Array.from(values).sort()
  const place = (sorted.length - 1) * q
  const below = sorted[Math.floor(place)]!
  const above = sorted[Math.ceil(place)]!
  return below + (above - below) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The spread of the values: half their range as a share of the median. */
export const spread = (values: readonly number[]): number => {
  const middle = median(values)
  return middle === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / 2 / Math.abs(middle)
}
