/** A write as it was sent. `mark` is a unique text. */
export interface Write {
  readonly mark: string
  readonly kind: 'contact' | 'change' | 'tag' | 'opportunity' | 'note'
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: object
  /** Idempotency key. */
  readonly key?: string
  /** Id of the record that is changed, tagged or noted. */
  readonly on?: number
}

/** A write and its answer, which is missing when the service died before it. */
export interface Entry extends Write {
  /** Id in the answer. */
  readonly id?: number
}

/** All writes of one life of the service. */
export type Ledger = readonly Entry[]

export const isAcknowledged = (entry: Entry): entry is Entry & { readonly id: number } => entry.id !== undefined

/** Address and key of the service in one of its lives. */
export interface Target {
  readonly url: string
  readonly token: string
  readonly workspaceId: number
}

interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked at freely by tests
  readonly body: any
}

/** Sends a request. @returns the answer, or `undefined` when the service died before it */
export const send = async (
  { url, token }: Target,
  method: string,
  path: string,
  { body, key }: { readonly body?: object; readonly key?: string | undefined } = {},
): Promise<Answered | undefined> => {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  try {
    const response = await fetch(`${url}/api/v2${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Sends a write and records its answer. @throws {Error} when it was refused, which none of these writes may be */
export const executeWrite = async (target: Target, write: Write): Promise<Entry> => {
  const answer = await send(target, write.method, write.path, { body: write.body, key: write.key })
  if (!answer) return write
  if (answer.status !== 200 && answer.status !== 201)
    throw new Error(`${write.method} ${write.path} was answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return { ...write, id: Number(answer.body.id) }
}

/** Reads every record of a list page by page. */
export const all = async (target: Target, path: string): Promise<Answered['body'][]> => {
  const found: Answered['body'][] = []
  for (let after = ''; ; after = `&after=${found.at(-1).id}`) {
    const page = await send(target, 'GET', `${path}?sort_order=asc${after}`)
    if (page?.status !== 200) throw new Error(`${path} was answered ${page?.status}`)
    found.push(...page.body)
    if (page.body.length < 20) return found
  }
}
