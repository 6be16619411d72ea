import { type TSchema, Type } from 'typebox'
import type { Field, FieldTable } from '../../kernel/model/field.ts'
import { responseSchemas } from '../../kernel/model/parse.ts'
import type { AuthoredMail } from '../../kernel/ports/authored-texts.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { namedRecord, namedRecords } from '../../resources/attributes/named-record.ts'
import type { StepSettings } from './tree.ts'

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

/** Declaration of a type of step. */
export interface StepTypeSpec {
  /** Settings that name no records. */
  readonly fields?: FieldTable
  /** Records that settings name, by the setting. Several, if its name ends so. */
  readonly refers?: Readonly<Record<string, string>>
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
  /** Settings as clients see them, where that is another form. */
  readonly shown?: { readonly schema: TSchema; of(settings: StepSettings): JsonObject }
  /** Whether a step of this type cannot be a mere placeholder. */
  readonly neverBlank?: true
}

/** A type of step. */
export interface StepType extends StepTypeSpec {
  readonly fields: FieldTable
  readonly refers: Readonly<Record<string, string>>
  readonly standsOn: readonly (readonly string[])[]
  /** All settings in a new step about which nothing has been said. */
  readonly initial: StepSettings
  /** Schema of the settings in answers. */
  readonly schema: TSchema
}

/** Tells whether a setting has a value; a list only with items. */
export const isFilled = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined && value !== ''

const isList = (setting: string): boolean => setting.endsWith('_ids')

const referring = ([setting, kind]: readonly [string, string]): [string, Field] => [
  setting,
  isList(setting) ? namedRecords(kind) : namedRecord(kind, { nullable: true }),
]

const emptyOf = ({ schema }: Field): Json => ('items' in schema ? [] : null)

/** Makes a type of step from its declaration. Without `flat`, settings are stored by the names by which they are sent. */
export const stepType = (spec: StepTypeSpec): StepType => {
  const { refers = {}, flat, writeOnly = [] } = spec
  const { standsOn = Object.keys(refers).map((setting) => [setting]) } = spec
  const named: FieldTable = flat ? {} : Object.fromEntries(Object.entries(refers).map(referring))
  const fields: FieldTable = { ...named, ...spec.fields }
  const stored = Object.fromEntries(Object.entries(fields).filter(([name]) => !writeOnly.includes(name)))
  const empty = flat ? {} : Object.fromEntries(Object.entries(stored).map(([name, field]) => [name, emptyOf(field)]))
  const schema = spec.shown?.schema ?? Type.Object(responseSchemas(stored))
  return { ...spec, fields, refers, standsOn, initial: { ...empty, ...spec.initial }, schema }
}
