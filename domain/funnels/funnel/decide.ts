import { Refusal, refuse } from '../../kernel/refusal.ts'
import { codeChanges } from '../../kinds/code.ts'
import type { CommandOf, FunnelCommand } from './commands.ts'
import { changeConditionalSplit, insertConditionalSplit } from './conditional-split.ts'
import type { FunnelEvent } from './events.ts'
import type { FunnelFacts } from './facts.ts'
import { arrangePage, placePage, removal } from './placing.ts'
import { detachProducts } from './products.ts'
import { changeSplitTest, insertSplitTest } from './split-test.ts'
import { collapseSplit, type Funnel } from './splits.ts'
import type { FunnelState } from './state.ts'
import { locatePage } from './tree.ts'

const createFunnel = (state: FunnelState, command: CommandOf<'CreateFunnel'>, { pathTaken }: FunnelFacts): Funnel => {
  if (state.status === 'present') return []
  const { fields, path, suffix } = command
  const code = codeChanges({ head_code: null, footer_code: null }, command.code)
  if (code instanceof Refusal) return code
  const data = {
    name: fields.name ?? '',
    current_path: pathTaken && suffix !== undefined ? `${path}-${suffix}` : path,
    domain_id: fields.domain_id ?? null,
    tag_ids: [...new Set(fields.tag_ids ?? [])],
    head_code: code.head_code ?? null,
    footer_code: code.footer_code ?? null,
  }
  const live: FunnelEvent[] = fields.live_mode ? [{ type: 'FunnelWentLive', data: {} }] : []
  return [{ type: 'FunnelCreated', data }, ...live]
}

const changeFunnel = (state: FunnelState, { fields, code }: CommandOf<'ChangeFunnel'>): Funnel => {
  const changes = codeChanges({ head_code: state.headCode, footer_code: state.footerCode }, code)
  if (changes instanceof Refusal) return changes
  const events: FunnelEvent[] = []
  const { name, domain_id, live_mode } = fields
  if (name !== undefined && name !== state.name) events.push({ type: 'FunnelRenamed', data: { name } })
  if (domain_id !== undefined && domain_id !== state.domainId)
    events.push({ type: 'FunnelDomainChosen', data: { domain_id } })
  if (Object.keys(changes).length > 0) events.push({ type: 'FunnelCodeSet', data: changes })
  if (live_mode !== undefined && live_mode !== state.live) {
    events.push({ type: live_mode ? 'FunnelWentLive' : 'FunnelReturnedToTest', data: {} })
  }
  return events
}

const removePage = ({ tree }: FunnelState, pageId: number): Funnel => {
  const located = locatePage(tree, pageId)
  return located ? [removal(located)] : []
}

const detach = (state: FunnelState, { pageId, products }: CommandOf<'DetachProducts'>, facts: FunnelFacts): Funnel => {
  const step = locatePage(state.tree, pageId)?.node.show_page_step_id
  if (step === undefined) {
    return refuse.malformed("Cannot detach products from a page that isn't part of a funnel.", 'product_ids', 'no_step')
  }
  return detachProducts(step, state.products.get(step) ?? [], products, facts.products)
}

/** The rules of a funnel (spec 2.4, 4.2; rule books "Funnels: splits and structure", "Page registration"). */
export const decide = (state: FunnelState, command: FunnelCommand, facts: FunnelFacts): Funnel => {
  if (command.type === 'CreateFunnel') return createFunnel(state, command, facts)
  if (state.status === 'absent') return refuse.notFound()
  switch (command.type) {
    case 'ChangeFunnel':
      return changeFunnel(state, command)
    case 'PlacePage':
      return placePage(state, command, facts)
    case 'ArrangePage':
      return arrangePage(state, command, facts)
    case 'RemovePage':
      return removePage(state, command.pageId)
    case 'DetachProducts':
      return detach(state, command, facts)
    case 'InsertSplitTest':
      return insertSplitTest(state, command, facts)
    case 'ChangeSplitTest':
      return changeSplitTest(state, command, facts)
    case 'InsertConditionalSplit':
      return insertConditionalSplit(state, command, facts)
    case 'ChangeConditionalSplit':
      return changeConditionalSplit(state, command, facts)
    case 'CollapseSplit':
      return collapseSplit(state, command.splitId, command.drop)
  }
}
