/** Name of the stream of one instance. */
export const streamOf = (aggregate: { readonly name: string }, id: number): string => `${aggregate.name}-${id}`

/** The aggregate's name and the instance's id, from a stream's name. */
export const parseStream = (stream: string): { readonly name: string; readonly id: number } => {
  const dash = stream.lastIndexOf('-')
  return { name: stream.slice(0, dash), id: Number(stream.slice(dash + 1)) }
}
