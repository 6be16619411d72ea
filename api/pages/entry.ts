import type { funnel as funnelModel } from '../../domain/funnels/funnel/model.ts'
import { isSplit, type Node, type PageNode, type SplitNode, type Tree } from '../../domain/funnels/public.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { page as pageModel } from '../../domain/pages/page/model.ts'
import { urlOf } from '../../domain/pages/public.ts'
import { sentPath, type Target } from './outcome.ts'
import type { Reading } from './site.ts'

/** Beginning of a funnel: a page, or a split that decides between two beginnings. */
export type Entry = { readonly page: number; readonly step: number; readonly to: Target } | EntrySplit

export interface EntrySplit {
  readonly id: number
  /** Weights of a split test; `null` for a conditional split. */
  readonly weights: readonly [number, number] | null
  readonly filterId: number | null
  /** Where the branches lead; `undefined` for one that leads to no page. At least one of them does. */
  readonly branches: readonly [Entry | undefined, Entry | undefined]
}

type Funnel = RecordOf<typeof funnelModel>

/** Where a branch without a further step goes on. */
type GoesOn = () => Promise<Entry | undefined>

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** Returns the path of a step of a funnel, as it is sent. */
export const stepPathOf = (funnel: Pick<Funnel, 'current_path'>, node: Pick<PageNode, 'current_path'>): string => {
  const address = { funnelPath: String(funnel.current_path), stepPath: node.current_path }
  return sentPath(urlOf({ external: false, external_url: null, current_path: null }, '', address) ?? '/')
}

const pageEntry = async (node: PageNode, funnel: Funnel, { load }: Reading): Promise<Entry | undefined> => {
  const document = await load.one('page', node.page_id)
  if (!document) return undefined
  const { show_page_step_id: step } = node
  const { id, external, external_url } = recordOf(pageModel)(document)
  if (!external) return { page: id, step, to: { path: stepPathOf(funnel, node) } }
  return external_url === null ? undefined : { page: id, step, to: { url: external_url } }
}

const splitEntry = async (node: SplitNode, funnel: Funnel, reading: Reading, after: GoesOn) => {
  const [first, second] = await Promise.all(node.branches.map((steps) => entryIn(steps, funnel, reading, after)))
  if (!first && !second) return undefined
  const isTest = node.type === 'split_test_step'
  return {
    id: node.id,
    weights: isTest ? node.weights : null,
    filterId: isTest ? null : (node.filter?.id ?? null),
    branches: [first, second] as const,
  }
}

const entryIn = async (
  [first, ...rest]: Tree,
  funnel: Funnel,
  reading: Reading,
  after: GoesOn,
): Promise<Entry | undefined> => {
  if (first === undefined) return after()
  const next = once(() => entryIn(rest, funnel, reading, after))
  return entryAt(first, funnel, reading, next)
}

const entryAt = async (node: Node, funnel: Funnel, reading: Reading, next: GoesOn): Promise<Entry | undefined> =>
  (isSplit(node) ? await splitEntry(node, funnel, reading, next) : await pageEntry(node, funnel, reading)) ?? next()

/** Returns the beginning of a funnel; `undefined` for one without pages. */
export const entryOf = (funnel: Funnel, reading: Reading): Promise<Entry | undefined> =>
  entryIn(funnel.tree, funnel, reading, async () => undefined)

export const isEntrySplit = (entry: Entry): entry is EntrySplit => 'branches' in entry
