import { expect } from 'chai'
import { decider } from '../../domain/kernel/decide/decider.ts'
import { rules } from '../../domain/kernel/decide/rules.ts'
import { moment, text } from '../../domain/kernel/model/fields.ts'
import { model } from '../../domain/kernel/model/model.ts'
import { workspace } from '../../domain/resources/operations.ts'
import { serve } from '../../domain/resources/serve.ts'
import { indexesOf } from '../../projections/collections.ts'
import { given } from '../support/projection.ts'

const trial = model('trial', {
  attributes: { name: text(), ends_at: moment({ nullable: true }), warned_at: moment({ nullable: true }) },
  events: { TrialBegun: { creates: true }, TrialChanged: { changes: 'rest' }, TrialOver: { ends: true } },
  timers: { end: { due: ({ ends_at }) => ends_at }, warn: { due: ({ warned_at }) => warned_at } },
})

const trials = decider(trial, {
  rules: rules(trial, { acts: { end: () => [], remind: () => [] }, timers: { end: 'end', warn: 'remind' } }),
})

const resource = serve(trial, trials, {
  title: 'Trial',
  root: 'trial',
  category: 'contacts',
  under: workspace,
  operations: {},
})

const begun = (values: object) => ({
  type: 'TrialBegun',
  data: { name: 'T', ends_at: null, warned_at: null, ...values },
})

const documentAfter = async (...events: Parameters<typeof given>[2][]) => {
  const projected = await given([resource], 'trial-1', ...events)
  return (await projected.inBatchesOf(1)).documents(resource)[0]
}

describe('timers of a model', () => {
  it('are found in the order of their due times, in a workspace and overall', async () => {
    const times = { ends_at: '2026-05-02T00:00:00.000Z', warned_at: '2026-05-01T02:00:00+02:00' }
    const document = await documentAfter(begun(times))
    expect(document).to.deep.include({ _due_at: '2026-05-01T00:00:00.000Z', _due_in: [0, 7] })
    expect(indexesOf(resource)).to.deep.include({ fields: ['_due_in'], sort: '_due_at' })
    const [first, second] = resource.timers!.of(document!)
    expect([first!.name, second!.name]).to.deep.equal(['warn', 'end'])
    expect(first!.act).to.equal('remind')
  })

  it('follow changes, and are removed when nothing is due', async () => {
    const at = '2026-05-02T00:00:00.000Z'
    const changed = (data: object) => ({ type: 'TrialChanged', data: data as { ends_at: string } })
    expect(await documentAfter(begun({}), changed({ ends_at: at }))).to.deep.include({ _due_at: at, _due_in: [0, 7] })
    const none = { _due_at: null, _due_in: [] }
    expect(await documentAfter(begun({}))).to.deep.include(none)
    expect(await documentAfter(begun({ ends_at: at }), changed({ ends_at: null }))).to.deep.include(none)
    expect(await documentAfter(begun({ ends_at: at }), { type: 'TrialOver', data: {} })).to.equal(undefined)
  })

  it('cost models without them nothing', () => {
    const plain = model('plain', { attributes: { name: text() }, events: { PlainMade: { creates: true } } })
    const served = serve(plain, decider(plain), {
      title: 'Plain',
      root: 'plain',
      category: 'contacts',
      under: workspace,
      operations: {},
    })
    expect(served.timers).to.equal(undefined)
    expect(served.documents.declared).not.to.have.property('timers')
    expect(resource.documents.declared).to.deep.include({
      timers: [
        ['end', 1],
        ['warn', 1],
      ],
    })
  })
})
