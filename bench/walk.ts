import type { DataSet } from './data-sets.ts'

/** Parts of the list that are read at the same time. */
const TOGETHER = 16

interface Part {
  /** Id of its first contact. */
  readonly from: number
  /** Id of the first contact after it. */
  readonly end: number
}

/** Divides the list at the contacts of a sample. Ids ascend in every version, but are not consecutive in all. */
export const partsOf = (sample: readonly number[]): readonly Part[] =>
  sample.map((from, i) => ({ from, end: sample[i + 1] ?? Number.POSITIVE_INFINITY }))

type Page = (after: number) => Promise<readonly number[]>

const pageOf =
  (api: string, { token, workspaceId }: DataSet): Page =>
  async (after) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${api}/api/v2/workspaces/${workspaceId}/contacts?after=${after}`, { headers })
    if (!response.ok) throw new Error(`a page of contacts was answered with ${response.status}`)
    return ((await response.json()) as { readonly id: number }[]).map(({ id }) => id)
  }

/** Reads the ids of a part page by page. */
export const walkPart = async ({ from, end }: Part, page: Page): Promise<readonly number[]> => {
  const ids = [from]
  for (;;) {
    const next = await page(ids.at(-1)!)
    ids.push(...next.filter((id) => id < end))
    if (next.length === 0 || next.at(-1)! >= end) return ids
  }
}

/** Reads every contact of a data set from its list. @returns the ids in ascending order */
export const walk = async (api: string, set: DataSet): Promise<readonly number[]> => {
  const parts = partsOf(set.sample)
  const found: (readonly number[])[] = []
  let taken = 0
  const lane = async () => {
    for (let at = taken++; at < parts.length; at = taken++) found[at] = await walkPart(parts[at]!, pageOf(api, set))
  }
  await Promise.all(Array.from({ length: TOGETHER }, lane))
  return found.flat()
}
