import { expect } from 'chai'
import { formOfContacts } from '../../../domain/forms/form/contact-attributes.ts'
import { field } from '../../../domain/forms/form/model.ts'
import { forms } from '../../../domain/forms/form/rules.ts'
import { RecordsOfStream } from '../../../domain/kernel/decide/stream-state.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { AT, ask, given, stateAfter } from '../../support/decider.ts'

const PAGE = 7
const begun = [{ type: 'ContactAttributesFormCreated', data: { name: 'Contact attributes' } }]
const setAdded = { type: 'FormFieldSetAdded', data: { field_set_id: 2, title: 'Custom attributes' } }
const added = (id: number, key: string, sort_order: number, page_id: number | null = null) => ({
  type: 'ContactAttributeAdded',
  data: {
    field_id: id,
    field_set_id: 2,
    label: key,
    field_type: null,
    allow_multiple: false,
    key,
    hidden: false,
    sort_order,
    page_id,
  },
})
const ensure = (keys: readonly string[], page: number | null = null, at = AT) => ({
  ...ask('ensureFields', { keys, from_page_id: page }, { ids: [2, ...keys.map((_, n) => 10 + n)] }),
  at,
})
const keysOf = (count: number, stem = 'key') => Array.from({ length: count }, (_, n) => `${stem}_${n}`)

describe('form of contact attributes', () => {
  it('gets its set with the first field, and each field once, whatever its case', () => {
    given(forms, ...begun)
      .when(ensure(['color', 'Color', 'size']))
      .then(setAdded, added(10, 'color', 0), added(11, 'size', 1))
    given(forms, ...begun, setAdded, added(10, 'color', 0))
      .when(ensure(['COLOR', 'size']))
      .then(added(10, 'size', 1))
    given(forms, ...begun, setAdded, added(10, 'color', 0))
      .when(ensure(['color']))
      .thenNothing()
  })

  it('is created once', () => {
    given(forms, ...begun)
      .when(ask('create', { name: 'Contact attributes' }, { as: 'ContactAttributesFormCreated' }))
      .thenNothing()
    expect(formOfContacts(1)).not.to.equal(formOfContacts(2))
  })

  it('has ordinary keys that are names of object properties', () => {
    given(forms, ...begun)
      .when(ensure(['__proto__', 'constructor', 'toString']))
      .then(setAdded, added(10, '__proto__', 0), added(11, 'constructor', 1), added(12, 'toString', 2))
  })

  describe('case 71: attributes that visitors make up', () => {
    const fieldsAfter = (events: readonly DomainEvent[], ...asked: readonly ReturnType<typeof ensure>[]) => {
      const all = [...events]
      for (const command of asked) {
        const decision = forms.decide(stateAfter(forms, all), command, undefined)
        if (decision instanceof Refusal) throw new Error(decision.message)
        all.push(...decision)
      }
      return new RecordsOfStream(stateAfter(forms, all)).all(field).length
    }

    it('are at most twenty new ones of a page', () => {
      expect(fieldsAfter(begun, ensure(keysOf(30), PAGE))).to.equal(20)
      expect(fieldsAfter([...begun, setAdded, added(5, 'color', 0, PAGE)], ensure(keysOf(30), PAGE))).to.equal(20)
      expect(fieldsAfter([...begun, setAdded, added(5, 'color', 0, 8)], ensure(keysOf(30), PAGE))).to.equal(21)
    })

    it('begin anew with each day, and have no bound where contacts come from elsewhere', () => {
      const full = [...begun, setAdded, ...keysOf(20, 'old').map((key, n) => added(100 + n, key, n, PAGE))]
      expect(fieldsAfter(full, ensure(keysOf(5), PAGE))).to.equal(20)
      expect(fieldsAfter(full, ensure(keysOf(5), PAGE, '2100-01-01T00:00:00.000Z'))).to.equal(25)
      expect(fieldsAfter(full, ensure(keysOf(5)))).to.equal(25)
    })
  })

  it('cannot be removed, and its keys are those that contacts can have', () => {
    const all = [...begun, setAdded, added(10, 'color', 0)]
    given(forms, ...all)
      .when(ask('remove', {}))
      .refuses('invalid', 'Form has the custom attributes of the contacts, and cannot be removed')
    const create = (key: string) => ask('create', { field_set_id: 2, label: 'L', key }, { child: 'fields', id: 11 })
    given(forms, ...all)
      .when(create('Shoe size'))
      .refuses('invalid', "Key is not that of a contact attribute: contacts have it as 'shoe_size'")
    given(forms, ...all)
      .when(create('email_address'))
      .refuses('invalid', 'Key is not that of a contact attribute: contacts cannot have it')
    given(forms, ...all)
      .when(ask('change', { key: 'colour' }, { child: 'fields', id: 10 }))
      .refuses('invalid', 'Key of a contact attribute cannot be changed, since contacts have it')
    given(forms, ...all)
      .when(ask('change', { label: 'Colour' }, { child: 'fields', id: 10 }))
      .then({ type: 'FormFieldChanged', data: { field_id: 10, label: 'Colour' } })
  })
})
