import { type TSchema, Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { page } from '../../pages/page/model.ts'
import { urlOf } from '../../pages/public.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { nullable, nullableInteger, nullableString } from '../../resources/schemas.ts'
import { presentNodes } from '../../resources/tree/structure.ts'
import { named } from '../../resources/view.ts'
import { originOf } from '../../sites/public.ts'
import { funnel, showPageStep } from './model.ts'
import { isSplit, type Node, type PageNode, pageNodes, type SplitNode, TREE_NODE, type Tree } from './tree.ts'

/** Names of steps that show no page. */
const SPLIT_NAMES: Readonly<Record<SplitNode['type'], string>> = {
  split_test_step: 'Split test',
  conditional_split_step: 'Conditional split',
}
const NO_PAGE_NAME = 'Page'

interface StructureContext {
  publicId(id: number, kind: string): string
  readonly pages: ReadonlyMap<number, RecordOf<typeof page>>
  readonly origin: string | undefined
  readonly funnelPath: string
}

const presentPage = (node: PageNode, { pages, origin, funnelPath }: StructureContext): JsonObject | null => {
  const found = pages.get(node.page_id)
  if (!found) return null
  const { id, public_id, name, external, token } = found
  const url = urlOf(found, origin, { funnelPath, stepPath: node.current_path })
  return { id, public_id, name, url, external, sdk_token: external ? token : null }
}

const presentNode = (node: Node, sort_order: number, context: StructureContext): JsonObject => {
  const { id, type: step_type } = node
  const public_id = context.publicId(id, node.type === 'show_page_step' ? TREE_NODE : `funnels/${node.type}`)
  if (isSplit(node)) return { id, public_id, step_type, name: SPLIT_NAMES[node.type], sort_order }
  const page = presentPage(node, context)
  const show_page_step_id = context.publicId(node.show_page_step_id, showPageStep.name)
  return { id, public_id, step_type, name: page?.name ?? NO_PAGE_NAME, sort_order, show_page_step_id, page }
}

const asSplit = (node: Node): SplitNode | undefined => (isSplit(node) ? node : undefined)

const presentSteps = (tree: Tree, context: StructureContext): JsonObject[] =>
  presentNodes<Node>(tree, asSplit, (node, order) => presentNode(node, order, context))

const steps = Type.Array(Type.Object({}, { additionalProperties: true }))

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
    branches: Type.Optional(Type.Array(Type.Object({ branch: Type.Enum(['matched', 'unmatched']), steps }))),
    variants: Type.Optional(Type.Array(Type.Object({ weight: Type.Integer(), steps }))),
  },
  { description: 'Steps of branches and variants have the same shape, to any depth' },
)

export const structureSchema: TSchema = Type.Object({ funnel: named.schema, steps: Type.Array(nodeSchema) })

/** Returns the whole tree of a funnel. All its pages are read in one batch. */
export const readStructure = async ({ document, load, publicId }: ReadInput): Promise<JsonObject> => {
  const { id, public_id, name, tree, current_path, workspace_id = 0, domain_id } = recordOf(funnel)(document ?? {})
  const pageIds = pageNodes(tree).map(({ page_id }) => page_id)
  const [documents, origin] = await Promise.all([load.many('page', pageIds), originOf(load, workspace_id, domain_id)])
  const pages = new Map(documents.map(recordOf(page)).map((one) => [one.id, one]))
  const context: StructureContext = { publicId, pages, origin, funnelPath: String(current_path) }
  return { funnel: { id, public_id, name }, steps: presentSteps(tree, context) }
}
