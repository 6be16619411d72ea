import { Type } from 'typebox'
import { ask } from '../../kernel/decide/ask.ts'
import { flag } from '../../kernel/model/fields.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import type { ActionInput, ActionOperation } from '../../resources/operation.ts'
import { read } from '../../resources/operations.ts'
import type { ReadOperation } from '../../resources/read-operation.ts'
import { pages } from './rules.ts'

const PATH = '/pages/{id}/opt_in'

const schema = Type.Object({
  double: Type.Boolean({ description: 'Whether who sends the form of the page is asked to confirm that by mail' }),
})

const set = async ({ document, fields, transact }: ActionInput): Promise<JsonObject | Refusal> => {
  const double = fields.double === true
  const refusal = await transact(ask(pages, Number(document?.id), 'setOptIn', { double_opt_in: double }))
  return refusal instanceof Refusal ? refusal : { double }
}

/** Operations on how visitors opt in with the form of a page. Beyond the contract. */
export const optInOperations: {
  readonly [id in 'getPageOptIn' | 'setPageOptIn']: ReadOperation | ActionOperation
} = {
  getPageOptIn: read(PATH, {
    schema,
    beyondContract: true,
    summary: 'Whether opt-ins on a page are to be confirmed',
    read: async ({ document }) => ({ double: document?.double_opt_in === true }),
  }),
  setPageOptIn: {
    kind: 'call',
    method: 'PUT',
    path: PATH,
    beyondContract: true,
    summary: 'Has opt-ins on a page confirmed by mail, or not',
    body: {
      root: 'opt_in',
      fields: { double: flag({ required: true, about: 'Whether they are to be confirmed' }) },
      mode: 'change',
    },
    schema,
    answers: 200,
    call: set,
  },
}
