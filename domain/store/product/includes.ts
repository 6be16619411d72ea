import { Type } from 'typebox'
import { data, flag, group, integer, list, reference } from '../../kernel/model/fields.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'

/** Course that a variant gives its buyers access to: all of it, or some of its sections. */
export type CourseGrant = {
  readonly id: number
  readonly course_id: number
  /** `null`: the whole course. */
  readonly section_ids: readonly number[] | null
}

/** Group of spaces that a variant opens to its buyers. */
export type GroupGrant = { readonly id: number; readonly communities_space_group_id: number }

const none = { initial: [] } as const
const stored = <T>() => data<readonly T[], typeof none>(Type.Array(Type.Object({})), none)

export const courseGrants = () => stored<CourseGrant>()
export const groupGrants = () => stored<GroupGrant>()

const entry = { id: integer({ about: 'Of an entry that is there' }), _destroy: flag({ nullable: true }) }
const lines = (fields: Parameters<typeof group>[0], about: string) =>
  list(group({ ...entry, ...fields }), { nullable: false, max: 100, about })

/** Fields of a request with what the buyers of a variant get access to. */
export const sentIncludes = {
  included_courses_attributes: lines(
    {
      course_id: reference('course'),
      included_sections_attributes: lines({ courses_section_id: reference('courses/section') }, 'Absent: all of it'),
    },
    'Courses that a purchase gives access to',
  ),
  included_space_groups_attributes: lines(
    { communities_space_group_id: reference('communities/space_group') },
    'Groups whose spaces a purchase opens',
  ),
}

type Entry = { readonly id?: number; readonly _destroy?: boolean | null }
export type SentSection = Entry & { readonly courses_section_id?: number }
export type SentCourse = Entry & {
  readonly course_id?: number
  readonly included_sections_attributes?: readonly SentSection[]
}
export type SentGroup = Entry & { readonly communities_space_group_id?: number }

/** Whether an entry is a new one. One that is new and to be removed is ignored. */
const isNew = ({ id, _destroy }: Entry): boolean => id === undefined && _destroy !== true

/** Returns the number of entries that a request adds. */
export const added = (...lists: readonly unknown[]): number =>
  lists.flatMap((entries) => (Array.isArray(entries) ? entries.filter((one) => isNew(one)) : [])).length

const COURSES = 'products_variant.included_courses_attributes'
const GROUPS = 'products_variant.included_space_groups_attributes'

const problem = (says: string, field: string, code: string): Refusal => refuse.invalid(says, field, code)
const missing = (field: string): Refusal =>
  problem(
    `${field === COURSES ? 'Included courses' : 'Included space groups'} contain ids not found in this workspace`,
    field,
    'not_found',
  )

/** Courses with their sections, and groups of spaces, that are there. */
export interface Includable {
  readonly sections: ReadonlyMap<number, readonly number[]>
  readonly groups: ReadonlySet<number>
}

/** Returns the sections after a change: those that were sent are added, or removed by their id. What gives the whole course is narrowed by a section alone. */
const sectionsAfter = (
  held: readonly number[] | null,
  sent: readonly SentSection[] | undefined,
  all: readonly number[],
): readonly number[] | null | Refusal => {
  if (sent === undefined || sent.length === 0) return held
  const named = sent.map(({ id, courses_section_id = id }) => courses_section_id)
  if (named.some((id) => id === undefined || !all.includes(id))) return missing(COURSES)
  const [removed, more] = [true, false].map((isRemoved) =>
    sent.flatMap((one, index) => ((one._destroy === true) === isRemoved ? (named[index] ?? []) : [])),
  )
  if (held === null && more?.length === 0) return held
  const left = [...new Set([...(held ?? []), ...(more ?? [])])].filter((id) => !removed?.includes(id))
  return left.length > 0
    ? left
    : problem('Included courses must keep a section; remove the course instead', COURSES, 'blank')
}

/** Returns the courses that a variant includes after a change. @param mint returns the id of a new entry */
export const coursesAfter = (
  held: readonly CourseGrant[],
  sent: readonly SentCourse[],
  { sections }: Includable,
  mint: () => number,
): readonly CourseGrant[] | Refusal => {
  const after = new Map(held.map((one) => [one.id, one]))
  for (const { id, _destroy, course_id, included_sections_attributes } of sent) {
    if (id === undefined && _destroy === true) continue
    const own = id === undefined ? undefined : after.get(id)
    const of = own?.course_id ?? course_id
    if (of === undefined || (id !== undefined && !own) || (course_id !== undefined && course_id !== of))
      return missing(COURSES)
    if (own && _destroy === true) {
      after.delete(own.id)
      continue
    }
    const all = sections.get(of)
    if (!all) return missing(COURSES)
    if (!own && [...after.values()].some((one) => one.course_id === of))
      return problem('Included courses contain a course twice', COURSES, 'taken')
    const section_ids = sectionsAfter(own?.section_ids ?? null, included_sections_attributes, all)
    if (section_ids !== null && !Array.isArray(section_ids)) return section_ids as Refusal
    const entryId = own?.id ?? mint()
    after.set(entryId, { id: entryId, course_id: of, section_ids })
  }
  return [...after.values()]
}

/** Returns the groups of spaces that a variant opens after a change. @param mint returns the id of a new entry */
export const groupsAfter = (
  held: readonly GroupGrant[],
  sent: readonly SentGroup[],
  { groups }: Includable,
  mint: () => number,
): readonly GroupGrant[] | Refusal => {
  const after = new Map(held.map((one) => [one.id, one]))
  for (const { id, _destroy, communities_space_group_id: group_id } of sent) {
    if (id === undefined && _destroy === true) continue
    if (id !== undefined && !after.has(id)) return missing(GROUPS)
    if (id !== undefined && _destroy === true) after.delete(id)
    if (id !== undefined) continue
    if (group_id === undefined || !groups.has(group_id)) return missing(GROUPS)
    if ([...after.values()].some((one) => one.communities_space_group_id === group_id))
      return problem('Included space groups contain a group twice', GROUPS, 'taken')
    const entryId = mint()
    after.set(entryId, { id: entryId, communities_space_group_id: group_id })
  }
  return [...after.values()]
}
