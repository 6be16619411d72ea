import { type TSchema, Type } from 'typebox'
import { conditionalSplit } from './conditional-split.ts'
import { contactCustomAttribute } from './contact-custom-attribute.ts'
import { contactTag } from './contact-tag.ts'
import { createOpportunity } from './create-opportunity.ts'
import { delay } from './delay.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { enroll } from './enroll.ts'
import { grantCommunityAccess } from './grant-community-access.ts'
import { move } from './move.ts'
import { notify } from './notify.ts'
import { revokeCommunityAccess } from './revoke-community-access.ts'
import { sendAsset } from './send-asset.ts'
import { sendChatMessage } from './send-chat-message.ts'
import { sendEmail } from './send-email.ts'
import { splitTest } from './split-test.ts'
import type { Counting, Splitting, StepReference, StepType } from './step-type.ts'
import { unenrollContact } from './unenroll-contact.ts'

/** Types of steps, in the order of the contract, whose list is closed. */
const ALL = [
  sendEmail,
  sendAsset,
  sendChatMessage,
  contactTag,
  contactCustomAttribute,
  delay,
  notify,
  deliverWebhook,
  enroll,
  unenrollContact,
  grantCommunityAccess,
  revokeCommunityAccess,
  createOpportunity,
  move,
  conditionalSplit,
  splitTest,
] as const

export type StepTypeName = (typeof ALL)[number]['name']

export const STEP_TYPE_NAMES: readonly StepTypeName[] = ALL.map(({ name }) => name)

const BY_NAME: ReadonlyMap<string, StepType> = new Map(ALL.map((one) => [one.name, one]))

/** Returns a type of step by its name. */
export const stepTypeOf = (name: StepTypeName): StepType => {
  const found = BY_NAME.get(name)
  if (!found) throw new Error(`there is no type of step ${name}`)
  return found
}

/** Returns how a type chooses a branch; `undefined` for one that is no split. */
export const splittingOf = (name: StepTypeName): Splitting | undefined => {
  const { does } = stepTypeOf(name)
  return does?.kind === 'splits' ? does : undefined
}

export const isSplitType = (name: StepTypeName): boolean => splittingOf(name) !== undefined

/** A reference with the setting that holds it. */
export interface ReferringSetting extends StepReference {
  readonly setting: string
}

/** References of all types, each setting once. */
export const REFERRING: readonly ReferringSetting[] = [
  ...new Map(
    ALL.flatMap(({ refers }) =>
      Object.entries(refers).map(([setting, one]) => [setting, { ...one, setting }] as const),
    ),
  ).values(),
]

/** What the statistics of steps tell beside the runs. */
export const COUNTING: readonly Counting[] = ALL.flatMap(({ counts }: StepType) => counts ?? [])

/** Schema of the settings of a step in answers: one key, its type. */
export const settingsSchema: TSchema = Type.Object(
  Object.fromEntries(ALL.map(({ name, schema }) => [name, Type.Optional(schema)])),
  { description: 'One key, the type of the step' },
)
