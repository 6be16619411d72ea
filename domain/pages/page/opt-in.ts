import { Type } from 'typebox'
import { flag } from '../../kernel/model/fields.ts'
import type { Shown } from '../../resources/operation.ts'
import { read } from '../../resources/operations.ts'
import { asks } from '../../resources/writes.ts'

const PATH = '/pages/{id}/opt_in'

const shown: Shown = {
  schema: Type.Object({
    double: Type.Boolean({ description: 'Whether who sends the form of the page is asked to confirm that by mail' }),
  }),
  of: ({ double_opt_in }) => ({ double: double_opt_in === true }),
}

/** Operations on how visitors opt in with the form of a page. Beyond the contract. */
export const optInOperations = {
  getPageOptIn: read(PATH, {
    shows: shown,
    beyondContract: true,
    summary: 'Whether opt-ins on a page are to be confirmed',
  }),
  setPageOptIn: asks(PATH, 'setOptIn', {
    consequence: 'changes how people agree to get mail',
    method: 'PUT',
    beyondContract: true,
    summary: 'Has opt-ins on a page confirmed by mail, or not',
    body: {
      root: 'opt_in',
      fields: { double: flag({ required: true, about: 'Whether they are to be confirmed' }) },
      mode: 'change',
    },
    wanted: ({ fields }) => ({ double_opt_in: fields.double === true }),
    shows: shown,
  }),
}
