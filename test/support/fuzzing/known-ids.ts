import { resources } from '../../../domain/index.ts'

/** How many ids of each resource are remembered; the newest ones are. */
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

/** Ids of existing records, by resource, as learnt from answers. */
export class KnownIds {
  readonly #ids = new Map<string, number[]>()

  add(resource: string, id: number): void {
    const others = (this.#ids.get(resource) ?? []).filter((known) => known !== id)
    this.#ids.set(resource, [...others, id].slice(-KEPT))
  }

  /** Learns the ids in an answer, and forgets the id of a deleted record. */
  learn(method: string, target: string, body: unknown): void {
    const path = target.split('?')[0]!
    if (method === 'DELETE') this.#forget(Number(/\/(\d+)(?:\/gdpr_destroy)?$/.exec(path)?.[1]))
    const resource = collections.find(([pattern]) => pattern.test(path))?.[1]
    for (const record of Array.isArray(body) ? body.slice(-LEARNT_FROM_A_PAGE) : [body]) {
      const id = idIn(record)
      if (resource !== undefined && id !== undefined) this.add(resource, id)
    }
  }

  /** Replaces stand-ins by ids; by numbers that no record has when none is known. */
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
