import { expect } from 'chai'
import { decider } from '../../../domain/kernel/decide/decider.ts'
import type { FieldTable } from '../../../domain/kernel/model/field.ts'
import { group, list, reference, text } from '../../../domain/kernel/model/fields.ts'
import { model } from '../../../domain/kernel/model/model.ts'
import { workspace } from '../../../domain/resources/operations.ts'
import { referencePolicies } from '../../../domain/resources/reference-policies.ts'
import { serve } from '../../../domain/resources/serve.ts'
import { random, seedOfRun } from '../../support/random.ts'
import { binders, cards, family, label, labels } from './family.ts'
import { type Office, openOffice } from './setting.ts'

const ROUNDS = 4
const COMMANDS = 120

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((go) => setImmediate(go))
}

/** Adds two binders with two tabs, three labels, and cards. @returns their ids */
const furnish = async ({ ask, mint }: Office, cardCount: number) => {
  const ids = (count: number) => Array.from({ length: count }, () => mint())
  const [binderIds, tabIds, labelIds, cardIds] = [ids(3), ids(6), ids(6), ids(cardCount)]
  for (const id of binderIds) await ask(binders, id, { type: 'create', wanted: { name: 'B' } })
  for (const [index, id] of tabIds.entries())
    await ask(binders, binderIds[index >> 1]!, { type: 'create', child: 'tabs', id, wanted: { name: 'T' } })
  for (const id of labelIds) await ask(labels, id, { type: 'create', wanted: { name: 'L' } })
  const tabOf = (index: number) => tabIds[index % tabIds.length]!
  await Promise.all(cardIds.map((id, n) => ask(cards, id, { type: 'create', wanted: { tab_id: tabOf(n) } })))
  return { binderIds, tabIds, labelIds, cardIds }
}

/** A resource with one attribute besides its name. */
const resourceWith = (attributes: FieldTable, changes = true) => {
  const sheet = model('sheet', {
    attributes: { name: text(), ...attributes },
    events: { SheetWritten: { creates: true }, ...(changes && { SheetChanged: { changes: 'rest' as const } }) },
  })
  return serve(sheet, decider(sheet), {
    title: 'Sheet',
    root: 'sheet',
    category: 'contacts',
    under: workspace,
    operations: {},
  })
}

describe('references to records that end', () => {
  let office: Office
  afterEach(async () => {
    expect(office.failures).to.deep.equal([])
    await office.close()
  })

  it('are taken back by what follows from them: null, a shorter list, no link, or the act of the rules', async () => {
    office = await openOffice(() => turns(1))
    const { ask, live, mint, settled } = office
    const { binderIds, tabIds, labelIds, cardIds } = await furnish(office, 2)
    const [gone = 0, other = 0] = labelIds
    const [first = 0, second = 0] = cardIds
    const all = { label_id: gone, label_ids: [gone, other, gone], first_label_id: gone }
    await ask(cards, first, { type: 'change', wanted: all })
    await ask(cards, first, { type: 'create', child: 'pins', id: mint(), wanted: { label_id: gone } })
    await ask(cards, first, { type: 'create', child: 'pins', id: mint(), wanted: { label_id: other } })
    await settled()
    await ask(labels, gone, { type: 'remove' })
    await ask(binders, binderIds[0]!, { type: 'remove' })
    await settled()
    expect(live.get('card', first)).to.include({ label_id: null, first_label_id: gone, tab_id: tabIds[2] })
    expect(live.get('card', first)).to.deep.include({ label_ids: [other], pinned_ids: [other] })
    expect(live.get('card', second)).to.include({ tab_id: tabIds[2] })
    expect(live.find('pinned').map(({ label_id }) => label_id)).to.deep.equal([other])
    await ask(cards, second, { type: 'change', wanted: { label_ids: [gone, other], tab_id: tabIds[0]! } })
    await settled()
    expect(live.get('card', second)).to.deep.include({ label_ids: [other], tab_id: tabIds[2] })
    expect(await office.refusals()).to.deep.equal([])
  })

  it('are kept to what the rest of the request creates, however late the documents show it', async () => {
    office = await openOffice(() => turns(50))
    const { ask, live, mint, settled } = office
    const { tabIds } = await furnish(office, 0)
    const [id, own, pinnedOne] = [mint(), mint(), mint()]
    const wanted = { tab_id: tabIds[0]!, label_id: own, label_ids: [own, pinnedOne] }
    const rest = [own, pinnedOne].map((one) => ({ aggregate: labels, id: one, wanted: { name: 'L' } }))
    await ask(cards, id, { type: 'create', wanted }, rest)
    await settled()
    expect(live.get('card', id)).to.deep.include({ label_id: own, label_ids: [own, pinnedOne] })
    expect(office.dangling()).to.deep.equal([])
    expect(office.takenBack()).to.equal(0)
  })

  it('leave more than a page of holders', async () => {
    office = await openOffice(() => turns(1))
    const { cardIds, labelIds } = await furnish(office, 230)
    const refer = (id: number) => office.ask(cards, id, { type: 'change', wanted: { label_id: labelIds[0]! } })
    await Promise.all(cardIds.map(refer))
    await office.settled()
    await office.ask(labels, labelIds[0]!, { type: 'remove' })
    await office.settled()
    expect(office.live.find('card').filter(({ label_id }) => label_id !== null)).to.deep.equal([])
  })

  it('never dangle in the end, however referring and ending interleave while documents lag behind', async () => {
    const chance = random(seedOfRun())
    let taken = 0
    for (let round = 0; round < ROUNDS; round++) {
      office = await openOffice(() => turns(chance.below(30)))
      const { ask, mint, settled, dangling } = office
      const { binderIds, tabIds, labelIds, cardIds } = await furnish(office, 5)
      const { pick } = chance
      const pin = () => ({
        type: 'create',
        child: 'pins',
        id: mint(),
        wanted: { label_id: pick(labelIds) },
      })
      const deeds = [
        () => ask(cards, pick(cardIds), { type: 'change', wanted: { label_id: pick(labelIds) } }),
        () => ask(cards, pick(cardIds), { type: 'change', wanted: { label_ids: [pick(labelIds), pick(labelIds)] } }),
        () => ask(cards, pick(cardIds), { type: 'change', wanted: { tab_id: pick(tabIds) } }),
        () => ask(cards, pick(cardIds), pin()),
      ]
      const endings = [
        ...labelIds.slice(1).map((id) => () => ask(labels, id, { type: 'remove' })),
        ...tabIds
          .slice(2)
          .map((id, n) => () => ask(binders, binderIds[1 + (n >> 1)]!, { type: 'remove', child: 'tabs', id })),
        () => ask(binders, binderIds[2]!, { type: 'remove' }),
      ]
      const under: Promise<unknown>[] = []
      for (let n = 0; n < COMMANDS; n++) {
        under.push((n % 12 === 11 ? endings.splice(chance.below(endings.length), 1)[0] : pick(deeds))?.() ?? turns(1))
        await turns(chance.below(3))
      }
      await Promise.all(under)
      await settled()
      expect(dangling(), `round ${round}`).to.deep.equal([])
      taken += office.takenBack()
      if (round < ROUNDS - 1) await office.close()
    }
    expect(taken).to.be.greaterThan(0)
  }).timeout(120_000)
})

describe('a reference to records that can end', () => {
  const policies = (attributes: FieldTable, changes = true) =>
    referencePolicies([...family, resourceWith(attributes, changes)], {}).map(({ name }) => name)

  it('has a policy unless its declaration keeps it', () => {
    expect(policies({ label_id: reference('label') })).to.include('references:sheet.label_id')
    const kept = policies({ label_id: reference('label', { required: true, onTargetEnd: 'keep' }) })
    expect(kept).not.to.include('references:sheet.label_id')
    expect(policies({ owner_id: reference('card') })).to.include('references:sheet.owner_id')
  })

  it('must say what becomes of it when it is required, or cannot be changed, or lies in a group', () => {
    const needed = 'sheet.label_id needs records that can end, and does not say what becomes of it then (onTargetEnd)'
    expect(() => policies({ label_id: reference('label', { required: true }) })).to.throw(needed)
    expect(() => policies({ label_id: list(reference('label'), { required: true }) })).to.throw(needed)
    expect(() => policies({ label_id: reference('label') }, false)).to.throw(
      'no event of its model changes sheet.label_id',
    )
    const nested = list(group({ label_id: reference(label.name) }))
    expect(() => policies({ lines: nested })).to.throw('sheet.lines.label_id refers to label, which can end')
  })
})
