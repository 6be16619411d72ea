import { expect } from 'chai'
import fc from 'fast-check'
import { field, option } from '../../../domain/forms/form/model.ts'
import { forms } from '../../../domain/forms/form/rules.ts'
import { RecordsOfStream } from '../../../domain/kernel/decide/stream-state.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { ask, given, stateAfter } from '../../support/decider.ts'

const SET = 2
const added = (id: number, key: string, sort_order: number, field_set_id = SET) => ({
  type: 'FormFieldAdded',
  data: {
    field_id: id,
    field_set_id,
    label: 'Size',
    field_type: null,
    allow_multiple: false,
    key,
    hidden: false,
    sort_order,
  },
})
const begun = [
  { type: 'FormCreated', data: { name: 'Survey' } },
  { type: 'FormFieldSetAdded', data: { field_set_id: SET, title: 'About you' } },
]
const withFields = [...begun, added(10, 'size', 0), added(11, 'colour', 1), added(12, 'shape', 2)]
const optionAdded = {
  type: 'FormOptionAdded',
  data: { option_id: 20, field_id: 10, label: 'Large', sort_order: 0 },
}
const reorder = (ids_in_order: readonly number[]) => ask('reorder', { ids_in_order }, { child: 'field_sets', id: SET })
const ofField = (id: number) => ({ child: 'fields', id })

describe('form', () => {
  it('puts a new field behind the others of its set', () => {
    given(forms, ...withFields)
      .when(ask('create', { field_set_id: SET, label: 'Size', key: 'width' }, ofField(13)))
      .then(added(13, 'width', 3))
    given(forms, ...withFields, { type: 'FormFieldSetAdded', data: { field_set_id: 3, title: 'More' } })
      .when(ask('create', { field_set_id: 3, label: 'Size', key: 'width' }, ofField(13)))
      .then(added(13, 'width', 0, 3))
  })

  it('has a key once, whatever its case', () => {
    given(forms, ...withFields)
      .when(ask('create', { field_set_id: SET, label: 'Size', key: 'SIZE ' }, ofField(13)))
      .refuses('invalid', 'Key has already been taken')
    given(forms, ...withFields)
      .when(ask('change', { key: 'Size' }, ofField(10)))
      .then({ type: 'FormFieldChanged', data: { field_id: 10, key: 'Size' } })
  })

  it('is reordered only by exactly its fields', () => {
    given(forms, ...withFields)
      .when(reorder([12, 10, 11]))
      .then({ type: 'FormFieldsReordered', data: { field_set_id: SET, field_ids: [12, 10, 11] } })
    given(forms, ...withFields)
      .when(reorder([10, 11, 12]))
      .thenNothing()
    for (const wrong of [[], [10, 11], [10, 11, 12, 12], [10, 11, 99], [10, 11, 12, 99]])
      given(forms, ...withFields)
        .when(reorder(wrong))
        .refuses('invalid', 'Ids in order must name each field of the set once')
  })

  it('loses options with their field, and fields with their set', () => {
    const all = [...withFields, optionAdded]
    given(forms, ...all)
      .when(ask('remove', {}, ofField(10)))
      .then({ type: 'FormFieldRemoved', data: { field_id: 10, option_ids: [20] } })
    const removal = {
      type: 'FormFieldSetRemoved',
      data: { field_set_id: SET, field_ids: [10, 11, 12], option_ids: [20] },
    }
    given(forms, ...all)
      .when(ask('remove', {}, { child: 'field_sets', id: SET }))
      .then(removal)
    const records = new RecordsOfStream(stateAfter(forms, [...all, removal]))
    expect([...records.all(field), ...records.all(option)]).to.deep.equal([])
  })

  it('keeps the order of a list that is added to, removed from and reordered', () => {
    const step = fc.oneof(
      fc.constant({ kind: 'add' as const }),
      fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
      fc.record({ kind: fc.constant('reorder' as const), seed: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const events: { type: string; data: object }[] = [...begun]
        let expected: number[] = []
        let next = 100
        for (const one of steps) {
          const at = one.kind === 'remove' ? expected[one.at % Math.max(1, expected.length)] : undefined
          if (one.kind === 'remove' && at === undefined) continue
          const wanted =
            one.kind === 'reorder'
              ? expected
                  .map((id, n) => [one.seed[n % 20]!, id] as const)
                  .sort(([a], [b]) => a - b)
                  .map(([, id]) => id)
              : []
          const command =
            one.kind === 'add'
              ? ask('create', { field_set_id: SET, label: 'L', key: `k${next}` }, ofField(next))
              : one.kind === 'remove'
                ? ask('remove', {}, ofField(at!))
                : reorder(wanted)
          const decision = forms.decide(stateAfter(forms, events as never), command, undefined)
          if (decision instanceof Refusal) throw new Error(decision.message)
          events.push(...decision)
          if (one.kind === 'add') expected.push(next++)
          else if (one.kind === 'remove') expected = expected.filter((id) => id !== at)
          else expected = wanted
        }
        const fields = new RecordsOfStream(stateAfter(forms, events as never)).all(field)
        const inOrder = [...fields].sort((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0)).map(({ id }) => id)
        expect(inOrder).to.deep.equal(expected)
      }),
      { numRuns: 150 },
    )
  })
})
