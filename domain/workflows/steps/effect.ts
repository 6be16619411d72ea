import type { Ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { AuthoredTexts } from '../../kernel/ports/authored-texts.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Vault } from '../../kernel/ports/vault.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import type { MintId } from '../../kernel/values/ids.ts'
import type { Branch } from '../../resources/tree/tree.ts'
import type { Outcome, run } from '../run/model.ts'

/** Settings of a step as they are stored: flat, with the ids of records. */
export type StepSettings = JsonObject

/** A step at which a run stands. */
export type StepInRun = {
  readonly id: number
  readonly name: string
  readonly settings: StepSettings
  /** For e-mails: revision of the template as it was published. */
  readonly mail_revision?: number
}

/** What became of a step. */
export interface StepResult {
  readonly outcome: Outcome
  readonly reason?: string
  /** Endpoint to which the step is sent. */
  readonly endpoint_id?: number
  /** Membership whose turn it was. */
  readonly membership_id?: number
}

/** What a step does: commands for other streams, or nothing and why. */
export type Effect = Commands | StepResult

/** Commands for other streams. */
export interface Commands {
  readonly asks: readonly Ask[]
  /** Whether it is one event, or none where there is nothing to change. */
  readonly atMostOneEvent?: boolean
  /** Why the step has failed, although it does these. */
  readonly failure?: string
  /** Membership whose turn it is. */
  readonly membership_id?: number
}

/** A branch, or why none can be chosen. */
export type Choice = { readonly branch: Branch } | { readonly why: string }

/** Until when a run waits at a step, and when its delay itself ends, in the zone that counts. */
export interface Wait {
  readonly until: string
  readonly due: string
  readonly zone: string
}

/** Text of a template. */
export interface TemplateText {
  readonly subject: string | null
  readonly html_body: string | null
  readonly text_body: string | null
}

/** What of a run counts for a step. */
export type StepRun = Pick<
  RecordOf<typeof run>,
  | 'id'
  | 'team_id'
  | 'workspace_id'
  | 'workflow_id'
  | 'contact_id'
  | 'skip_communication'
  | 'entered_at'
  | 'due_at'
  | 'zone'
>

/** What steps are taken with. */
export interface StepDeps {
  readonly documents: FactReader
  readonly vault: Pick<Vault, 'open' | 'token'>
  readonly mint: MintId
  readonly texts: Pick<AuthoredTexts, 'render'>
  /** Returns a template as it was at a revision. */
  templateAt(id: number, revision: number): Promise<TemplateText | undefined>
}

/** What an action is carried out with. */
export interface EffectContext extends Pick<StepDeps, 'mint' | 'templateAt'> {
  readonly run: StepRun
  readonly step: StepInRun
  readonly settings: StepSettings
  readonly read: Reader
  /** Returns the records that are there of a setting whose reference says what becomes of the step without; for users their memberships. */
  referred(setting: string): readonly Document[]
  /** Renders Liquid with the values of the contact; `undefined` where that fails. */
  render(text: string): Promise<string | undefined>
}

/** Returns the ids that a setting names. */
export const idsIn = (value: Json | undefined): readonly number[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'number')

/** Returns the text of a setting; `null` where it is none. */
export const textIn = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

/** Returns the result of a step that had nothing to do. */
export const skipped = (reason: string): StepResult => ({ outcome: 'skipped', reason })

/** Returns the result of a step that cannot be done. */
export const failed = (reason: string): StepResult => ({ outcome: 'failed', reason })
