import { type TSchema, Type } from 'typebox'
import type { JsonObject } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Loader, ReadInput } from '../../kernel/resource.ts'
import { nullable, nullableInteger, nullableString } from '../../kinds/schemas.ts'
import { urlOf } from '../../pages/page/address.ts'
import { originOf } from '../../sites/origin.ts'
import { treeOf } from './documents.ts'
import { isSplit, type Node, type PageNode, pageNodes, type SplitNode, type Tree } from './tree.ts'
import { funnelShortSchema, presentFunnelShort } from './view.ts'

/** Names of steps that show no page. */
const SPLIT_NAMES: Readonly<Record<SplitNode['type'], string>> = {
  split_test_step: 'Split test',
  conditional_split_step: 'Conditional split',
}
const NO_PAGE_NAME = 'Page'

interface Shown {
  publicId(id: number, kind: string): string
  readonly pages: ReadonlyMap<number, Document>
  readonly origin: string | undefined
  readonly funnelPath: string
}

const presentPage = (node: PageNode, { pages, origin, funnelPath }: Shown): JsonObject | null => {
  const page = pages.get(node.page_id)
  if (!page) return null
  const external = page.external === true
  return {
    id: page.id,
    public_id: page.public_id,
    name: page.name,
    url: urlOf(page, origin, { funnelPath, stepPath: node.current_path }),
    external,
    sdk_token: external ? page.token : null,
  }
}

/** The first step that runs behind the one at `index`: the next of its sequence, or what follows the split around it. */
const nextOf = (steps: Tree, index: number, after: number | null): number | null => steps[index + 1]?.id ?? after

const presentSplit = (node: SplitNode, next: number | null, shown: Shown): JsonObject => {
  const [first, second] = node.branches.map((steps) => presentSteps(steps, next, shown))
  const rejoining = { convergence_step_id: next }
  if (node.type === 'conditional_split_step') {
    return {
      ...rejoining,
      branches: [
        { branch: 'matched', steps: first },
        { branch: 'unmatched', steps: second },
      ],
    }
  }
  const [left, right] = node.weights
  return {
    ...rejoining,
    variants: [
      { weight: left, steps: first },
      { weight: right, steps: second },
    ],
  }
}

const presentNode = (node: Node, sort_order: number, next: number | null, shown: Shown): JsonObject => {
  const { id, type: step_type } = node
  const public_id = shown.publicId(id, node.type === 'show_page_step' ? 'funnels/step' : `funnels/${node.type}`)
  if (isSplit(node)) {
    return { id, public_id, step_type, name: SPLIT_NAMES[node.type], sort_order, ...presentSplit(node, next, shown) }
  }
  const page = presentPage(node, shown)
  const show_page_step_id = shown.publicId(node.show_page_step_id, 'funnels/show_page_step')
  return { id, public_id, step_type, name: page?.name ?? NO_PAGE_NAME, sort_order, show_page_step_id, page }
}

/** What follows a split is a sequence of its own, so that `sort_order` begins anew behind it (contract). */
const presentSteps = (steps: Tree, after: number | null, shown: Shown): JsonObject[] => {
  let begin = 0
  return steps.map((node, index) => {
    const presented = presentNode(node, index - begin, nextOf(steps, index, after), shown)
    if (isSplit(node)) begin = index + 1
    return presented
  })
}

const nodeSchema = Type.Object(
  {
    id: Type.Integer(),
    public_id: Type.String(),
    step_type: Type.Enum(['show_page_step', 'split_test_step', 'conditional_split_step']),
    name: Type.String(),
    sort_order: Type.Integer({
      description: 'Position in its own sequence, from 0; a new sequence begins behind a split',
    }),
    convergence_step_id: Type.Optional(nullableInteger),
    show_page_step_id: Type.Optional(Type.String()),
    page: Type.Optional(
      nullable(
        Type.Object({
          id: Type.Integer(),
          public_id: Type.String(),
          name: Type.String(),
          url: nullableString,
          external: Type.Boolean(),
          sdk_token: nullableString,
        }),
      ),
    ),
    branches: Type.Optional(
      Type.Array(
        Type.Object({
          branch: Type.Enum(['matched', 'unmatched']),
          steps: Type.Array(Type.Object({}, { additionalProperties: true })),
        }),
      ),
    ),
    variants: Type.Optional(
      Type.Array(
        Type.Object({ weight: Type.Integer(), steps: Type.Array(Type.Object({}, { additionalProperties: true })) }),
      ),
    ),
  },
  { description: 'Steps of branches and variants have the same shape, to any depth' },
)

export const structureSchema: TSchema = Type.Object({ funnel: funnelShortSchema, steps: Type.Array(nodeSchema) })

const pagesOf = async (tree: Tree, load: Loader): Promise<ReadonlyMap<number, Document>> => {
  const pages = await load.many(
    'page',
    pageNodes(tree).map(({ page_id }) => page_id),
  )
  return new Map(pages.map((page) => [Number(page.id), page]))
}

/** The whole tree of a funnel: one look-up for it and one batch for its pages, however many there are. */
export const readStructure = async ({ document, load, publicId }: ReadInput): Promise<JsonObject> => {
  const funnel = document!
  const tree = treeOf(funnel)
  const [pages, origin] = await Promise.all([
    pagesOf(tree, load),
    originOf(load, Number(funnel.workspace_id), funnel.domain_id as number | null),
  ])
  const shown: Shown = { publicId, pages, origin, funnelPath: String(funnel.current_path) }
  return { funnel: presentFunnelShort(funnel), steps: presentSteps(tree, null, shown) }
}
