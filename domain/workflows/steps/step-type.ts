import { type TSchema, Type } from 'typebox'
import type { Ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import type { Reader } from '../../kernel/decide/rules.ts'
import type { Field, FieldTable } from '../../kernel/model/field.ts'
import { responseSchemas } from '../../kernel/model/parse.ts'
import type { AuthoredMail } from '../../kernel/ports/authored-texts.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'
import { namedRecord, namedRecords } from '../../resources/attributes/named-record.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import type { Weights } from '../../resources/tree/tree.ts'
import type { Window } from '../../statistics/public.ts'
import { type NamedReferences, namedReferences } from '../workflow/named.ts'
import type { Choice, Effect, EffectContext, StepDeps, StepInRun, StepRun, StepSettings, Wait } from './effect.ts'

/** What is wrong with one setting. */
export interface SettingsProblem {
  readonly setting: string
  readonly says: string
}

/** What settings are checked against besides themselves. */
export interface SettingsContext {
  readonly workflowId: number
  readonly currency: string
  /** Returns a record of the workspace that the settings name. */
  found(kind: string, id: Json | undefined): Document | undefined
}

/** Reference of a setting. A client who names what the workspace does not have is refused, whatever the type. */
export interface StepReference {
  /** Kind of the records. */
  readonly to: string
  /** Field of the documents of steps by which those are found that name a record. Settings that name the same kind can share it. */
  readonly foundBy?: string
  /** Whether a step gives up a record that ends. Otherwise the id stays, and `standsOn` tells whether the step fails then. */
  readonly isGivenUp?: true
  /** List of a version that names the records which its runs need. */
  readonly keptBy?: 'filter_ids' | 'template_ids'
  /** Why a run fails at the step where nothing is there that the setting names. The effect then has what is there. Absent: the effect sees to it. */
  readonly gone?: string
  /** Says why a record that is there serves no step. */
  unfit?(found: Document): string | undefined
}

/** A change of settings as it was sent, and the settings before; of a new step there are none. */
export interface SettingsChange {
  readonly workspaceId: number
  readonly sent: JsonObject
  readonly before: StepSettings | undefined
}

/** A record that a step has of its own. It is made when it is due, and gets what is sent for it. */
export interface OwnRecord {
  /** Setting that names it. */
  readonly setting: string
  isDue(sent: JsonObject, before: StepSettings): boolean
  /** Returns the settings that name it. @param source the record that was named in its place */
  named(settings: StepSettings, id: number, source: Document | undefined): StepSettings
  /** Returns the texts in it, which count with those of the step. */
  texts(sent: JsonObject, before: StepSettings, read: Reader): Promise<AuthoredMail>
  /** Returns the commands by which it is made, or changed. @param id of the one that is made */
  follows(change: SettingsChange, id: number | undefined, read: FactReader): Promise<readonly Ask[]>
}

/** Carries out commands, or sends the step to an endpoint. */
interface Acting {
  readonly kind: 'acts'
  effect(context: EffectContext): Promise<Effect>
}

/** Chooses one of two branches. It is recorded before anything follows from it. */
export interface Splitting {
  readonly kind: 'splits'
  /** Names of the branches. */
  readonly names: readonly [string, string]
  /** Names that older clients use, in the same order. */
  readonly formerNames?: readonly [string, string]
  /** What a client hears who names another branch. */
  readonly says: string
  /** Weights of a split by chance, whose branches are shown as variants. */
  weights?(settings: StepSettings): Weights
  /** Whether it is tried until a branch can be chosen, however often that fails. */
  readonly isTriedOn?: true
  choose(
    deps: Pick<StepDeps, 'documents' | 'vault'>,
    step: StepInRun,
    run: StepRun,
    at: string,
  ): Choice | Promise<Choice>
}

/** Lets a run wait. */
interface Waiting {
  readonly kind: 'waits'
  /** Returns until when a run waits; `undefined`: it goes on. */
  until(documents: FactReader, settings: StepSettings, run: StepRun, at: string): Promise<Wait | undefined>
}

/** Ends the run, and begins one of another workflow. */
interface Moving {
  readonly kind: 'moves'
  target(settings: StepSettings): number
}

/** What the statistics of a step tell beside the runs. */
export interface Counting {
  /** Name among the statistics. */
  readonly as: string
  readonly schema: TSchema
  of(stepId: number, window: Window, currency: string, read: ReadInput['read']): Promise<JsonObject>
}

/** Declaration of a type of step. */
export interface StepTypeSpec {
  /** Settings that name no records. */
  readonly fields?: FieldTable
  /** What settings refer to, by the setting; a kind alone where nothing else is to be said. Several records, if its name ends so. */
  readonly refers?: Readonly<Record<string, string | StepReference>>
  /** Settings of which one must still name a record that is there, or the step fails for everybody. Default: each of `refers` by itself. */
  readonly standsOn?: readonly (readonly string[])[]
  /** Settings that are never `null`, with their values in a new step. */
  readonly initial?: StepSettings
  /** Settings that are sent and not stored. */
  readonly writeOnly?: readonly string[]
  /** Settings in Liquid, with what they are in a mail. */
  readonly liquid?: Readonly<Record<string, keyof AuthoredMail>>
  /** Settings without which the step is not set up. */
  readonly needs?: readonly string[]
  /** Whether it is set up, where that is more than having what it needs. */
  isSetUp?(settings: StepSettings): boolean
  /** Brings settings as they were sent into the form in which they are stored. */
  flat?(sent: JsonObject): JsonObject | SettingsProblem
  problem?(settings: StepSettings, context: SettingsContext): SettingsProblem | undefined
  /** Returns why a change is refused whatever the settings are afterwards. */
  refuses?(change: SettingsChange, read: FactReader): Promise<Refusal | undefined>
  readonly own?: OwnRecord
  /** Settings as clients see them, where that is another form. */
  readonly shown?: { readonly schema: TSchema; of(settings: StepSettings): JsonObject }
  /** Whether a step of this type cannot be a mere placeholder. */
  readonly neverBlank?: true
  /** What it does when a run reaches it; absent: nothing here can carry it out. */
  readonly does?: Acting | Splitting | Waiting | Moving
  /** Whether it writes to the contact, which runs can leave out. */
  readonly isCommunication?: true
  /** Whether what it does depends on what other records are like, so that it must see what the run did before. */
  readonly looksAround?: true
  /** Tells whether what it does depends on what it did last, for whichever run. */
  takesTurns?(settings: StepSettings): boolean
  /** In what a run could differ from a rehearsal, whatever went before. */
  readonly rehearsalNote?: string
  readonly counts?: Counting
}

/** A type of step. */
export interface StepType<N extends string = string> extends StepTypeSpec {
  readonly name: N
  readonly fields: FieldTable
  readonly refers: Readonly<Record<string, StepReference>>
  /** Kinds of the records that settings name, by the setting. */
  readonly kinds: Readonly<Record<string, string>>
  /** Check of what settings refer to. */
  readonly references: NamedReferences
  readonly standsOn: readonly (readonly string[])[]
  /** All settings in a new step about which nothing has been said. */
  readonly initial: StepSettings
  /** Schema of the settings in answers. */
  readonly schema: TSchema
}

/** Tells whether a setting has a value; a list only with items. */
export const isFilled = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== ''

/** Tells whether a setting names several records. */
export const isList = (setting: string): boolean => setting.endsWith('_ids')

const referring = ([setting, { to }]: readonly [string, StepReference]): [string, Field] => [
  setting,
  isList(setting) ? namedRecords(to) : namedRecord(to, { nullable: true }),
]

const emptyOf = ({ schema }: Field): Json => ('items' in schema ? [] : null)

/**
 * Makes a type of step from its declaration. Without `flat`, settings are stored by the names by which they are sent.
 *
 * @param name stored with steps, and the key of their settings: it never changes
 */
export const stepType = <const N extends string>(name: N, spec: StepTypeSpec): StepType<N> => {
  const { flat, writeOnly = [] } = spec
  const refers: StepType['refers'] = Object.fromEntries(
    Object.entries(spec.refers ?? {}).map(([setting, to]) => [setting, typeof to === 'string' ? { to } : to]),
  )
  const kinds = Object.fromEntries(Object.entries(refers).map(([setting, { to }]) => [setting, to]))
  const references = namedReferences(kinds, `step_type_settings.${name}.`)
  const { standsOn = Object.keys(refers).map((setting) => [setting]) } = spec
  const named: FieldTable = flat ? {} : Object.fromEntries(Object.entries(refers).map(referring))
  const fields: FieldTable = { ...named, ...spec.fields }
  const stored = Object.fromEntries(Object.entries(fields).filter(([setting]) => !writeOnly.includes(setting)))
  const empty = flat ? {} : Object.fromEntries(Object.entries(stored).map(([setting, one]) => [setting, emptyOf(one)]))
  const schema = spec.shown?.schema ?? Type.Object(responseSchemas(stored))
  return { ...spec, name, fields, refers, kinds, references, standsOn, initial: { ...empty, ...spec.initial }, schema }
}
