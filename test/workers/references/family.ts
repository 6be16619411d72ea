import { decider } from '../../../domain/kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../../domain/kernel/decide/rules.ts'
import { requested } from '../../../domain/kernel/model/field.ts'
import { integer, list, reference, text } from '../../../domain/kernel/model/fields.ts'
import { model } from '../../../domain/kernel/model/model.ts'
import { linkModel, linkRules } from '../../../domain/resources/link.ts'
import { workspace } from '../../../domain/resources/operations.ts'
import type { EndedReferences } from '../../../domain/resources/reference-policies.ts'
import { serve } from '../../../domain/resources/serve.ts'

/** A label, which ends by itself. */
export const label = model('label', {
  attributes: { name: text({ required: true }) },
  events: { LabelPrinted: { creates: true }, LabelShredded: { ends: true } },
})

type Torn = { readonly tab_id: number; readonly all: readonly number[] }

/** A tab of a binder, which ends alone or with its binder. */
export const tab = model('tab', {
  stream: 'binder',
  owner: 'binder_id',
  attributes: { name: text({ required: true }) },
  events: {
    TabAdded: { creates: true },
    TabTornOut: {
      of: ({ all }: Torn) => all,
      endsOnly: ({ tab_id }: Torn) => [tab_id],
      evolve: () => ({}),
    },
  },
})

export const binder = model('binder', {
  attributes: { name: text({ required: true }) },
  events: { BinderOpened: { creates: true }, BinderBurnt: { ends: true } },
  children: { tabs: { model: tab, key: 'tab_id', keys: 'tab_ids' } },
})

const pinned = linkModel('pinned', {
  stream: 'card',
  owner: 'card_id',
  target: 'label_id',
  refersTo: 'label',
  listed: 'pinned_ids',
  applied: 'LabelPinned',
  removed: 'LabelUnpinned',
})

type Pin = { readonly pin_id: number; readonly label_id: number }
type WithPins = { readonly pinned_ids: readonly number[] } | undefined

/** A card that refers to labels and tabs in every way: nullable, in lists, by links, and because it must. */
export const card = model('card', {
  attributes: {
    label_id: reference('label', { nullable: true }),
    label_ids: list(reference('label'), { initial: [] }),
    tab_id: reference('tab', { required: true, onTargetEnd: { act: 'leaveTab' } }),
    first_label_id: reference('label', { onTargetEnd: 'keep' }),
    pinned_ids: requested(list(reference('label'), { default: [] })),
    moves: integer({ initial: 0 }),
  },
  events: {
    CardWritten: { creates: true, except: ['pinned_ids'] },
    CardFiled: { sets: ['tab_id', 'moves'] },
    CardChanged: { changes: 'rest' },
    CardThrownAway: { ends: true },
    LabelPinned: {
      evolve: (before: WithPins, { label_id }: Pin) => ({ pinned_ids: [...(before?.pinned_ids ?? []), label_id] }),
    },
    LabelUnpinned: {
      evolve: (before: WithPins, { label_id }: Pin) => ({
        pinned_ids: (before?.pinned_ids ?? []).filter((id) => id !== label_id),
      }),
    },
  },
  children: { pins: { model: pinned, key: 'pin_id', keys: 'pin_ids' } },
})

const tearOut = ({ id, records }: ActContext<typeof tab>) => [
  binder.event.TabTornOut({ tab_id: id, all: records.all(tab).map((one) => one.id) }),
]

const firstTab = async (_: DecisionContext<typeof card>, read: Reader) =>
  (await read.find(tab, { where: { workspace_id: 7 }, limit: 1 }))[0]

const leaveTab = ({ before, wanted }: ActContext<typeof card, EndedReferences>, next: { id: number } | undefined) => {
  if (!wanted.ended_ids.includes(before.tab_id)) return []
  return [
    next
      ? card.event.CardFiled({ tab_id: next.id, moves: before.moves + 1 })
      : card.event.CardThrownAway({ pin_ids: [] }),
  ]
}

export const labels = decider(label)
export const binders = decider(binder, { children: [rules(tab, { remove: tearOut })] })
export const cards = decider(card, {
  rules: rules(card, { loadFacts: firstTab, acts: { leaveTab } }),
  children: [linkRules(pinned, { key: 'pin_id', taken: 'Label has already been pinned' })],
})

const shown = { category: 'contacts', under: workspace, operations: {} } as const
const inBinder = { param: 'binder_id', resource: 'binder', field: 'binder_id' }
const onCard = { param: 'card_id', resource: 'card', field: 'card_id' }

export const family = [
  serve(label, labels, { ...shown, title: 'Label', root: 'label' }),
  serve(binder, binders, { ...shown, title: 'Binder', root: 'binder' }),
  serve(tab, binders, { ...shown, title: 'Tab', root: 'tab', under: inBinder }),
  serve(card, cards, { ...shown, title: 'Card', root: 'card' }),
  serve(pinned, cards, { ...shown, title: 'Pinned', root: 'pinned', under: onCard }),
]
