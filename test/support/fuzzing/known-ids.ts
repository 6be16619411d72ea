import { resources } from '../../../domain/index.ts'

/** Ids remembered of each resource: the newest. */
const KEPT = 40
const LEARNT_FROM_A_PAGE = 3

const collections = resources.flatMap(({ name, operations }) =>
  Object.values(operations)
    .filter(({ method, kind, path }) => (method === 'POST' || kind === 'list') && !path.includes('{id}'))
    .map(({ path }) => [new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`), name] as const),
)

const idIn = (body: unknown): number | undefined => {
  const id = typeof body === 'object' && body !== null ? (body as { id?: unknown }).id : undefined
  return typeof id === 'number' ? id : undefined
}

/** Ids of records that there are, by resource, as far as answers have told. */
export class KnownIds {
  readonly #ids = new Map<string, number[]>()

  add(resource: string, id: number): void {
    const others = (this.#ids.get(resource) ?? []).filter((known) => known !== id)
    this.#ids.set(resource, [...others, id].slice(-KEPT))
  }

  /** Learns from what a request was answered with; and forgets what it took away. */
  learn(method: string, target: string, body: unknown): void {
    const path = target.split('?')[0]!
    if (method === 'DELETE') this.#forget(Number(/\/(\d+)(?:\/gdpr_destroy)?$/.exec(path)?.[1]))
    const resource = collections.find(([pattern]) => pattern.test(path))?.[1]
    for (const record of Array.isArray(body) ? body.slice(-LEARNT_FROM_A_PAGE) : [body]) {
      const id = idIn(record)
      if (resource !== undefined && id !== undefined) this.add(resource, id)
    }
  }

  /** Puts ids in the place of their stand-ins; numbers that no record has where none is known. */
  fill(text: string): string {
    return text.replace(/"?@([a-z_/]+):(\d+)"?/g, (_, resource: string, number: string) => {
      const ids = this.#ids.get(resource) ?? []
      return String(ids[Number(number) % ids.length] ?? number)
    })
  }

  #forget(id: number): void {
    for (const [resource, ids] of this.#ids) {
      const left = ids.filter((known) => known !== id)
      this.#ids.set(resource, left)
    }
  }
}
