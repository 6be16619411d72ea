import { Type } from 'typebox'
import { type Field, field, managed, problem } from '../kernel/model/field.ts'
import { moment } from '../kernel/model/fields.ts'
import type { TimerTable } from '../kernel/model/timer.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'

/** Since when a record is published, or from when it will be. Visible is what is published and not in the future, at every read. */
export interface Published {
  readonly published_at: string | null
  /** Time at which it will appear; `null` once it has. */
  readonly appears_at: string | null
}

/** Attributes of a record that is published. Rules alone set them. */
export const publishing = {
  published_at: managed(moment({ nullable: true, about: 'Time from which it is published; in the future: scheduled' })),
  appears_at: managed(moment({ nullable: true }), { shown: 'never' }),
}

/** Timer of a record that is published: it appears at its time. */
export const appearing: TimerTable<'appear', Published> = { appear: { due: ({ appears_at }) => appears_at } }

/** Event table of a record that is published: by the first it is, or will be; the second says that it appeared at its time. */
export const publishedBy = { sets: ['published_at', 'appears_at'] } as const
export const appeared = { constants: { appears_at: null } } as const

/** Whether the time has come at which a record appears. */
export const appears = ({ appears_at }: Published, at: string): boolean => appears_at !== null && appears_at <= at

/** Declares the publication of what becomes public: at once, or at its time. */
export const onPublished = <const P extends string, const A extends string>(published: P, appearance: A) =>
  ({
    on: [published, appearance],
    when: ({ type, data }: { readonly type: P | A; readonly data: object }) =>
      type !== published || !('appears_at' in data) || data.appears_at === null,
  }) as const

/** Whether a record is published at a time. */
export const isLive = ({ published_at }: Pick<Published, 'published_at'>, at: string): boolean =>
  published_at !== null && published_at <= at

const whole = moment({ nullable: true })

/** Field of a request to publish: absent, `null` or blank is now, a time in the future schedules it. */
export const publishTime = (): Field<string | null> =>
  field<string | null>(
    Type.Union([Type.String({ format: 'date-time' }), Type.Literal('')]),
    { nullable: true, label: 'published_at', about: 'Absent: now' },
    (value, context) => {
      if (value === '') return { value: null }
      const parsed = whole.parse(value, context)
      return 'problem' in parsed ? problem('is not a valid datetime', parsed.code) : parsed
    },
  )

/**
 * Returns when a record is published that is asked to be. `undefined`: it is published already, and stays so. What is published and gets a later time is
 * away until then.
 */
export const publishedAsAsked = (
  before: Published,
  wanted: string | null | undefined,
  at: string,
): Published | Refusal | undefined => {
  if (!wanted) return isLive(before, at) ? undefined : { published_at: at, appears_at: null }
  if (wanted > at) return { published_at: wanted, appears_at: wanted }
  return refuse.invalid(
    'published_at cannot be in the past; omit it to publish now or pass a future datetime to schedule',
    'published_at',
    'past',
  )
}
