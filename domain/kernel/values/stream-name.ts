/** Returns the name of the stream of an instance. */
export const streamOf = (aggregate: { readonly name: string }, id: number): string => `${aggregate.name}-${id}`

/** Returns the aggregate's name and the instance's id of a stream name. */
export const parseStream = (stream: string): { readonly name: string; readonly id: number } => {
  const dash = stream.lastIndexOf('-')
  return { name: stream.slice(0, dash), id: Number(stream.slice(dash + 1)) }
}
