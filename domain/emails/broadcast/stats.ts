import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { OUTCOMES } from '../mailing/outcomes.ts'
import { broadcast } from './model.ts'
import { totalOf } from './outcomes.ts'

export const statsSchema = Type.Object({
  progress: Type.Object({
    total: nullableInteger,
    queued: Type.Integer({ description: 'Contacts without an outcome, while nothing is sent' }),
    processing: Type.Integer({ description: 'Contacts without an outcome, while it is sent' }),
    sent: Type.Integer({ description: 'Contacts whose mail was handed over, or kept as a file' }),
    failed: Type.Integer({ description: 'Contacts who got nothing; outcomes say why' }),
  }),
  outcomes: Type.Object(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Type.Integer()])), {
    description: 'Contacts by what became of their mail',
  }),
})

const open = recordOf(broadcast)

/** Returns how far a broadcast is, and what became of its mails. Outcomes are counted when those of a whole piece are known. */
export const readStats = async ({ document }: Pick<ReadInput, 'document'>) => {
  const { status, target_count: total, outcomes } = open(document ?? {})
  const settled = totalOf(outcomes)
  const left = (total ?? 0) - settled
  const sent = (outcomes.sent ?? 0) + (outcomes.kept ?? 0)
  const isGoing = status === 'sending' || status === 'canceled'
  return {
    progress: {
      total,
      queued: isGoing ? 0 : left,
      processing: isGoing ? left : 0,
      sent,
      failed: settled - sent,
    },
    outcomes: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, outcomes[outcome] ?? 0])),
  }
}
