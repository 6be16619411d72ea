import { Type } from 'typebox'
import { flag, reference } from '../../kernel/model/fields.ts'
import type { Shown } from '../../resources/operation.ts'
import { read } from '../../resources/operations.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { asks } from '../../resources/writes.ts'

const PATH = '/pages/{id}/opt_in'

const shown: Shown = {
  schema: Type.Object({
    double: Type.Boolean({ description: 'Whether who sends the form of the page is asked to confirm that by mail' }),
    next_page_id: nullableInteger,
  }),
  async of({ double_opt_in, next_page_id }, load) {
    const next = typeof next_page_id === 'number' ? await load.one('page', next_page_id) : undefined
    return { double: double_opt_in === true, next_page_id: next?.id ?? null }
  },
}

/** Operations on how visitors opt in with the form of a page. Beyond the contract. */
export const optInOperations = {
  getPageOptIn: read(PATH, {
    shows: shown,
    beyondContract: true,
    summary: 'Whether opt-ins on a page are to be confirmed, and which page follows',
  }),
  setPageOptIn: asks(PATH, 'setOptIn', {
    consequence: 'changes how people agree to get mail',
    method: 'PUT',
    beyondContract: true,
    summary: 'Has opt-ins on a page confirmed by mail, or not, and names the page that follows',
    body: {
      root: 'opt_in',
      fields: {
        double: flag({ about: 'Whether they are to be confirmed' }),
        next_page_id: reference('page', {
          nullable: true,
          about: 'The page that follows while this one is in no funnel; null: a page that thanks',
        }),
      },
      mode: 'change',
    },
    wanted: ({ fields: { double, next_page_id } }) => ({
      ...(double !== undefined && { double_opt_in: double === true }),
      ...(next_page_id !== undefined && { next_page_id: typeof next_page_id === 'number' ? next_page_id : null }),
    }),
    shows: shown,
  }),
}
